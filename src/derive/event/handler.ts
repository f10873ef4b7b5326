import type { ChainEvent } from '../../types/chain.ts'
import type { Effect } from '../../types/effects.ts'
import type { MessagePart } from '../msg/handler.ts'

/** Where an event stands: among the events of one message, of the ante handler, or of one part of the block. */
export type EventScope = {
  height: number
  time: string
  /** all events of the scope */
  events: readonly ChainEvent[]
  /** type URL of the message, empty outside of one */
  typeUrl: string
  /** address text of who acts in the message, empty outside of one */
  actor: string
  part?: MessagePart
  /** height of the double sign of a validator (upper-case hex) that the block carries evidence of */
  evidenceHeight(consAddress: string): number | undefined
}

/** `at` is the place of the event in the scope. */
export type EventHandler = (event: ChainEvent, at: number, scope: EventScope) => Effect | Effect[] | undefined

export type EventTable = Record<string, EventHandler>
