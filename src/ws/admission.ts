/** Who may hold how many connections; the client's name is whatever the connections are counted by. */
export type Allowance = { client: string; connections: number }

/** Counts open connections per client and in total. */
export class Admission {
  #total: number
  readonly #open = new Map<string, number>()
  #count = 0

  constructor(total: number) {
    this.#total = total
  }

  /** Nobody gets in any more. */
  close(): void {
    this.#total = 0
  }

  /** Gives the function that frees the place again, or says which limit was reached. */
  enter({ client, connections }: Allowance): (() => void) | 'client_connections' | 'connections' {
    const open = this.#open.get(client) ?? 0
    if (open >= connections) return 'client_connections'
    if (this.#count >= this.#total) return 'connections'
    this.#open.set(client, open + 1)
    this.#count++
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.#count--
      const left = this.#open.get(client)! - 1
      if (left === 0) this.#open.delete(client)
      else this.#open.set(client, left)
    }
  }
}
