/** Messages with the messages inside them, what they link, and what they change. */
import type { AnyMessage } from '../decode/tx.ts'
import { decodeAccount } from '../lib/encoding/bech32.ts'
import { addressRoleId } from '../types/address-role.ts'
import type { ChainEvent } from '../types/chain.ts'
import type { Effect } from '../types/effects.ts'
import type { AddressHex } from '../types/facts.ts'
import { parseAmount } from './coins.ts'
import { EVENT_HANDLERS } from './event/all.ts'
import type { EventScope } from './event/handler.ts'
import { splitInnerEvents } from './event-groups.ts'
import { hasExecuted } from './interchain-account.ts'
import { MESSAGE_HANDLERS } from './msg/all.ts'
import type { MessagePart } from './msg/handler.ts'

/** Nesting is free for who writes it and must not be expensive for who reads it: what lies deeper or beyond counts as unknown. */
const MAX_DEPTH = 16
const MAX_INNER = 10_000

export type ReadMessage = {
  typeUrl: string
  /** undefined when the type is unknown or the value is not of that type */
  part: MessagePart | undefined
  inner: ReadMessage[]
}

export class MessageReader {
  readonly #success: boolean
  #innerLeft = MAX_INNER

  constructor(success: boolean) {
    this.#success = success
  }

  read(message: AnyMessage, depth = 0): ReadMessage {
    const { typeUrl } = message
    const part = MESSAGE_HANDLERS.get(typeUrl)?.(message.value, this.#success)
    const nested = part && (part.inner ?? part.hosted)
    return { typeUrl, part, inner: nested ? this.#readInner(nested, depth + 1) : [] }
  }

  #readInner(messages: readonly AnyMessage[], depth: number): ReadMessage[] {
    return messages.map((message) => {
      const isRead = depth <= MAX_DEPTH && this.#innerLeft-- > 0
      return isRead ? this.read(message, depth) : { typeUrl: message.typeUrl, part: undefined, inner: [] }
    })
  }
}

/** Calls `visit` for the message and for what runs inside it; `events` are those of the message, empty when the tx failed. */
export function visitMessages(
  message: ReadMessage,
  events: () => readonly ChainEvent[],
  visit: (message: ReadMessage) => void,
): void {
  visit(message)
  // A packet for an interchain account is only data until the account has run it.
  if (message.part?.hosted && !(message.inner.length > 0 && hasExecuted(events()))) return
  for (const inner of message.inner) visitMessages(inner, events, visit)
}

/** Links and operators of a message and of its inner messages, each once, in order of appearance. */
export class LinkCollector {
  readonly links: [address: AddressHex, role: number][] = []
  readonly #seen = new Set<string>()
  readonly #validators = new Set<AddressHex>()

  add(part: MessagePart): void {
    for (const [role, text] of part.links) {
      const address = decodeAccount(text)
      if (address === undefined) continue
      const key = role + address
      if (this.#seen.has(key)) continue
      this.#seen.add(key)
      this.links.push([address, addressRoleId(role)])
    }
    for (const text of part.validators ?? []) {
      const operator = decodeAccount(text)
      if (operator !== undefined) this.#validators.add(operator)
    }
  }

  listValidators(): AddressHex[] {
    return [...this.#validators]
  }
}

export type BlockScope = Pick<EventScope, 'height' | 'time' | 'evidenceHeight'>

/** Scope of a tx: blobs are counted by the rules of the app version. */
export type TxScope = BlockScope & { versionApp: number }

/** Effects of a message that succeeded, in chain order: its own part first, then those of its events. */
export function listEffects(
  message: ReadMessage,
  events: readonly ChainEvent[],
  block: BlockScope,
  reader: MessageReader,
  depth = 0,
): Effect[] {
  const { typeUrl, part, inner } = message
  const actor = part?.signers[0] ?? ''
  const scope: EventScope = { ...block, events, typeUrl, actor, ...(part ? { part } : {}) }
  if (part?.inner) {
    const split = splitInnerEvents(events, depth, inner.length)
    const own = listEventEffects({ ...scope, events: split.own })
    return own.concat(
      ...inner.map((each, i) => [...chargeGrant(each, actor), ...listEffects(each, split.inner[i]!, block, reader, depth + 1)]),
    )
  }
  const effects = part?.effects?.({ ...block, events, read: (any) => reader.read(any).part }) ?? []
  if (part?.hosted && inner.length > 0 && hasExecuted(events)) {
    // All messages of a packet are signed by the one account, so their events need no telling apart.
    scope.actor = inner[0]!.part?.signers[0] ?? ''
    for (const each of inner)
      effects.push(...(each.part?.effects?.({ ...block, events, read: (any) => reader.read(any).part }) ?? []))
    return effects.concat(withRequested(listEventEffects(scope), inner))
  }
  return effects.concat(listEventEffects(scope))
}

/** A message that one account runs for another is charged to the grant between them; whoever runs their own needs none. */
function chargeGrant({ typeUrl, part }: ReadMessage, executor: string): Effect[] {
  if (!part?.charge?.length) return []
  const granter = decodeAccount(part.signers[0] ?? '')
  const grantee = decodeAccount(executor)
  if (granter === undefined || grantee === undefined || granter === grantee) return []
  const coins = part.charge.map(({ denom, amount }) => ({ denom, amount: parseAmount(amount) ?? 0n }))
  return [{ kind: 'spend-grant', granter, grantee, authorization: typeUrl, coins }]
}

/** Messages of a packet run in their order: the first unbonding that is told is the first that was asked for. */
function withRequested(effects: Effect[], inner: readonly ReadMessage[]): Effect[] {
  const amounts = inner.flatMap(({ part }) => part?.unbondAmount ?? [])
  for (const effect of effects) {
    const requested = effect.kind === 'unbond' ? amounts.shift() : undefined
    if (requested !== undefined) Object.assign(effect, { requested })
  }
  return effects
}

export function listEventEffects(scope: EventScope): Effect[] {
  const effects: Effect[] = []
  for (let at = 0; at < scope.events.length; at++) {
    const event = scope.events[at]!
    const effect = EVENT_HANDLERS.get(event.type)?.(event, at, scope)
    if (Array.isArray(effect)) effects.push(...effect)
    else if (effect) effects.push(effect)
  }
  return effects
}
