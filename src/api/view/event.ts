import type { Static } from 'typebox'
import { unpackEvents } from '../../store/pack/event-pack.ts'
import { firstId } from '../../store/pack/id.ts'
import type { Event } from '../schema/event.ts'

/** Packed events with what they belong to. `before` counts the events of the block that stand before them: it makes ids unique. */
export type PackedEvents = { height: number; time: string; txId?: number; before: number; events: Uint8Array }

type Page = { limit: number; offset: number; cursor?: number | undefined }

/** One page of a packed value: attributes as a flat object, the last of repeated keys wins (docs/rules.md R26). */
export function toEvents({ height, time, txId, before, events }: PackedEvents, page: Page): Static<typeof Event>[] {
  const first = firstId(height) + before
  const start = page.cursor === undefined ? page.offset : Math.max(page.cursor - first + 1, 0)
  return unpackEvents(events, start, start + page.limit).map(({ type, attributes }, i) => ({
    id: first + start + i,
    height,
    time,
    position: start + i,
    tx_id: txId,
    type,
    data: attributes.length === 0 ? null : toData(attributes),
  }))
}

function toData(attributes: [string, string][]): Record<string, string> {
  // Attribute keys come from the chain: as own properties only, so that `__proto__` is a key like any other.
  return Object.fromEntries(attributes)
}
