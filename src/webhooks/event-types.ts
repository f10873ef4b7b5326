import { WEBHOOK_EVENTS, type WebhookEvent } from '../types/webhook-events.ts'
import type { FilterName } from './filters.ts'

export type EventType = WebhookEvent

const EVENT_FILTERS: Record<EventType, readonly FilterName[]> = WEBHOOK_EVENTS

/** Events of what blocks hold by themselves, and of keys. The others are about channels, validators and proposals that an index without state does not know. */
const STATELESS_EVENTS = new Set<EventType>(['block', 'tx', 'blob', 'transfer', 'gas_price', 'key.expiring'])

/** The first event of the list that needs the state of the chain, if there is one: without it none would ever be sent. */
export function findStateEvent(events: readonly EventType[]): EventType | undefined {
  return events.find((event) => !STATELESS_EVENTS.has(event))
}

export const EVENT_TYPES = Object.keys(EVENT_FILTERS) as EventType[]

/** The filter that no event of the list looks at, if there is one: it would be kept and do nothing. */
export function findIdleFilter(events: readonly EventType[], names: readonly FilterName[]): FilterName | undefined {
  const used = new Set<FilterName>(events.flatMap((event) => EVENT_FILTERS[event]))
  return names.find((name) => !used.has(name))
}
