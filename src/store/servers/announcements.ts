type Announced = { commitNumber: number; height: number; at: number }

/** More are thinned out: how old the first one is matters, and what the last one says. */
const MOST = 1000

/** Commits that were announced and are not yet shown by every server. */
export class Announcements {
  #list: Announced[] = []
  #forgotten = 0

  /** False for one that was heard before. */
  add(commitNumber: number, height: number): boolean {
    if (commitNumber <= (this.#list.at(-1)?.commitNumber ?? this.#forgotten)) return false
    this.#list.push({ commitNumber, height, at: performance.now() })
    if (this.#list.length > MOST) this.#list = this.#list.filter((_, i) => i % 2 === 0 || i === this.#list.length - 1)
    return true
  }

  clear(): void {
    this.#list = []
    this.#forgotten = 0
  }

  /** All servers show this commit. */
  forgetUpTo(commitNumber: number): void {
    if (!Number.isFinite(commitNumber)) return
    this.#forgotten = commitNumber
    const kept = this.#list.findIndex((announced) => announced.commitNumber > commitNumber)
    this.#list = kept < 0 ? [] : this.#list.slice(kept)
  }

  /** Height of the newest one, if it is above a commit. */
  heightAbove(commitNumber: number): number | undefined {
    const newest = this.#list.at(-1)
    return newest && newest.commitNumber > commitNumber ? newest.height : undefined
  }

  /** How long ago the first one above a commit was announced. */
  secondsBehind(commitNumber: number): number {
    const first = this.#list.find((announced) => announced.commitNumber > commitNumber)
    return first ? (performance.now() - first.at) / 1000 : 0
  }
}
