import type { SourceHead } from '../source.ts'

/** How long an answer "I do not have that height yet" is believed. */
const BEHIND_MS = 500
/** Wait for the results of a block announced a moment ago: they follow within milliseconds. */
const TIP_MS = 100
/** Replicas behind one address differ by a few blocks. A claim further above what the node then serves is false. */
const TOLERATED_BLOCKS = 5

/**
 * Where one node says it stands, and how much of that is believed. A claim counts until the node itself denies a height below it; then
 * it has to prove in growing steps what it can serve.
 */
export class NodeHead {
  #claim: { head: SourceHead; at: number } | undefined
  #denied: { height: number; step: number; at: number; until: number } | undefined
  #falseClaims = 0

  /** Times in a row that the node denied a height far below what it claimed. */
  get falseClaims(): number {
    return this.#falseClaims
  }

  get claimed(): number | undefined {
    return this.#claim?.head.height
  }

  /** Whether `height` is the last one that the node claims, or was a moment ago. */
  isNewest(height: number): boolean {
    return height >= (this.#claim?.head.height ?? Number.POSITIVE_INFINITY) - 1
  }

  /** The node answered the question where it stands. An answer that was overtaken by a newer one does not count. */
  claim(head: SourceHead, askedAt: number, now: number): void {
    if (!this.#take(head, askedAt, now)) return
    if (head.height <= (this.#denied?.height ?? head.height) + TOLERATED_BLOCKS) this.#falseClaims = 0
  }

  /** The node announced a block on its own. That it knows better then does not excuse what it claims when it is asked. */
  announce(height: number, time: string, now: number): void {
    if (this.#claim) this.#take({ ...this.#claim.head, height, time }, now, now)
  }

  #take(head: SourceHead, askedAt: number, now: number): boolean {
    if (this.#claim && askedAt < this.#claim.at && head.height < this.#claim.head.height) return false
    this.#claim = { head, at: now }
    if (this.#denied && head.height <= this.#denied.height) this.#denied = undefined
    return true
  }

  /** Asked for more at `startedAt`, the node said that it ends at `height`. */
  deny(height: number, startedAt: number, now: number): void {
    const excess = (this.#claim?.head.height ?? height) - height
    // Requests that were under way together are denied together.
    if (excess > TOLERATED_BLOCKS && startedAt > (this.#denied?.at ?? Number.NEGATIVE_INFINITY)) this.#falseClaims++
    this.#denied = { height, step: 1, at: now, until: now + (excess === 1 ? TIP_MS : BEHIND_MS) }
  }

  served(height: number): void {
    if (this.#denied && height > this.#denied.height)
      this.#denied = { ...this.#denied, height, step: this.#denied.step * 2, until: 0 }
  }

  /** Head that is believed now, when some node has served `proven`; undefined before the node has answered. */
  believed(now: number, proven: number): SourceHead | undefined {
    const head = this.#claim?.head
    if (!head || !this.#denied) return head
    const { height, step, until } = this.#denied
    // Heights that other nodes served since are not asked of this node again, so it cannot prove that it has them.
    return { ...head, height: Math.min(head.height, until > now ? height : Math.max(height, proven) + step) }
  }

  /** When the node may be asked for `height`; 0: at any time. */
  askableAt(height: number): number {
    return this.#denied && height > this.#denied.height ? this.#denied.until : 0
  }
}
