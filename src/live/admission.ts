/** Connections that a client may hold; its name is the key by which they are counted. */
export type Allowance = {
  client: string
  connections: number
  /** False once the key of the connection is revoked or over. */
  isValid?: () => boolean
}

export type Release = () => void
export type LimitReached = 'client_connections' | 'connections'

/** Where connections are counted: in this process, or for several processes that share a port. */
export interface Gate {
  /** Gives the function that frees the slot again, or says which limit was reached. */
  enter(allowance: Allowance): Release | LimitReached | Promise<Release | LimitReached>
  /** Admits no more connections. */
  close(): void
}

/** Counts open connections per client and in total. */
export class Admission implements Gate {
  #total: number
  readonly #open = new Map<string, number>()
  #count = 0

  constructor(total: number) {
    this.#total = total
  }

  close(): void {
    this.#total = 0
  }

  enter({ client, connections }: Pick<Allowance, 'client' | 'connections'>): Release | LimitReached {
    const open = this.#open.get(client) ?? 0
    if (open >= connections) return 'client_connections'
    if (this.#count >= this.#total) return 'connections'
    this.#open.set(client, open + 1)
    this.#count++
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#count--
      const left = this.#open.get(client)! - 1
      if (left === 0) this.#open.delete(client)
      else this.#open.set(client, left)
    }
  }
}
