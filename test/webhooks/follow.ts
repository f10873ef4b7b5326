import assert from 'node:assert/strict'
import type { Received } from './receiver.ts'

/**
 * State of a careful receiver: an id once, and nothing of what was reverted. Every new event must come behind the one before it,
 * counted from the height that a fork went back to.
 */
export function followReceived(events: readonly Received[]): Received[] {
  let held: Received[] = []
  const seen = new Set<string>()
  for (const event of events) {
    if (seen.has(event.id)) continue
    seen.add(event.id)
    if (event.type === 'reverted') {
      held = held.filter(({ height }) => height <= event.data.height)
      // The chain may come back to what it left.
      for (const id of event.data.events) seen.delete(id)
    } else {
      const last = held.at(-1)
      assert.ok(!last || isBefore(last, event), `${event.type} ${event.height} comes after ${last?.type} ${last?.height}`)
      held.push(event)
    }
  }
  return held
}

const rank = ({ type }: Received) => ['block', 'tx', 'blob'].indexOf(type)
const isBefore = (a: Received, b: Received) =>
  a.height !== b.height ? a.height < b.height : rank(a) !== rank(b) ? rank(a) < rank(b) : a.position < b.position
