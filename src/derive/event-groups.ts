import type { ChainEvent } from '../types/chain.ts'
import { attributeOf } from './attributes.ts'

/**
 * Which events of a tx belong to which message (SDK 0.50 says it in `msg_index`; SDK 0.46 starts a group with
 * `message{action}`). Events before the first group come from the ante handler and stand even when the tx failed.
 */
export type EventGroups = { ante: ChainEvent[]; groups: ChainEvent[][] }

/** Only the type `message` starts a group: `signal_version` and others carry an `action` too. */
function startsGroup(event: ChainEvent): boolean {
  return event.type === 'message' && attributeOf(event, 'action') !== undefined
}

function indexOf(event: ChainEvent): number | undefined {
  const last = event.attributes.at(-1)
  const text = last !== undefined && last[0] === 'msg_index' ? last[1] : attributeOf(event, 'msg_index')
  return text === undefined ? undefined : Number(text)
}

/** Number of events before the messages: all there is of a failed tx. */
export function countAnteEvents(events: readonly ChainEvent[]): number {
  const first = events.findIndex((event) => startsGroup(event) || indexOf(event) !== undefined)
  return first === -1 ? events.length : first
}

export function groupEvents(events: readonly ChainEvent[], messagesCount: number): EventGroups {
  const ante: ChainEvent[] = []
  const groups: ChainEvent[][] = Array.from({ length: messagesCount }, () => [])
  const indexed = events.some((event) => indexOf(event) !== undefined)
  let current = -1
  for (const event of events) {
    if (!indexed && startsGroup(event)) current++
    const group = indexed ? indexOf(event) : current
    // An index beyond the messages would be a lie of the node; the event still moved coins, which are counted elsewhere.
    ;((group === undefined ? undefined : groups[group]) ?? ante).push(event)
  }
  return { ante, groups }
}

/**
 * Events of the messages inside a MsgExec. Every level adds its own `authz_msg_index` behind those of the levels below, so the
 * outermost level (`depth` 0) reads the last one. `own` are the events of the MsgExec itself, such as a used-up grant.
 */
export function splitInnerEvents(
  events: readonly ChainEvent[],
  depth: number,
  innerCount: number,
): { own: ChainEvent[]; inner: ChainEvent[][] } {
  const own: ChainEvent[] = []
  const inner: ChainEvent[][] = Array.from({ length: innerCount }, () => [])
  let indexed = false
  for (const event of events) {
    const index = authzIndexOf(event, depth)
    if (index !== undefined) indexed = true
    ;((index === undefined ? undefined : inner[index]) ?? own).push(event)
  }
  // Without any index there is only one place where they can belong.
  if (!indexed && innerCount === 1) return { own: [], inner: [own] }
  return { own, inner }
}

function authzIndexOf(event: ChainEvent, depth: number): number | undefined {
  let level = 0
  for (let at = event.attributes.length - 1; at >= 0; at--) {
    const attribute = event.attributes[at]!
    if (attribute[0] === 'authz_msg_index' && level++ === depth) return Number(attribute[1])
  }
  return undefined
}
