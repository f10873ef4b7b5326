import type { DescMessage, MessageShape } from '@bufbuild/protobuf'
import { decodeAny } from '../../decode/any.ts'
import type { AnyMessage } from '../../decode/tx.ts'
import type { AddressRole } from '../../types/address-role.ts'
import type { ChainEvent } from '../../types/chain.ts'
import type { ClientRecovery, ConstantChange, Effect, GrantTerms } from '../../types/effects.ts'
import type { CoinText } from '../coins.ts'

/** Address text as the message holds it; what is empty or of another chain makes no link. */
export type Link = [role: AddressRole, address: string]

/** Scope of a message that succeeded. */
export type MessageScope = {
  height: number
  /** block time, cut to microseconds */
  time: string
  /** events of this message alone, in chain order */
  events: readonly ChainEvent[]
  /** A message inside this one, undefined when it is not understood. */
  read(message: AnyMessage): MessagePart | undefined
}

export type PoolSpend = { recipient: string; amount: { denom: string; amount: string }[] }

export type PaidBlob = { namespace: Uint8Array; sizeBytes: number; commitment: Uint8Array; shareVersion: number }

/** Coins text by account, in the order of the events. */
export type CoinMoves = {
  spent: readonly [account: string, coins: string][]
  received: readonly [account: string, coins: string][]
}

/** Part of a message that does not depend on the rest of the block. Effects get their origin later. */
export type MessagePart = {
  /** accounts (or operators) that have to sign; the first one is the actor of the message's events */
  signers: readonly string[]
  links: readonly Link[]
  /** operators it names */
  validators?: readonly string[]
  /** messages of a MsgExec, which run when the tx succeeds */
  inner?: readonly AnyMessage[]
  /** messages of an interchain account packet: they run when the events of the message say so */
  hosted?: readonly AnyMessage[]
  /** parameters a MsgUpdateParams sets, all of them */
  params?: readonly ConstantChange[]
  /** what a MsgCommunityPoolSpend pays out */
  spend?: PoolSpend
  /** what a MsgRecoverClient asks for */
  recovery?: ClientRecovery
  /** what a MsgGrant or MsgGrantAllowance gives */
  grants?: () => GrantTerms[]
  blobs?: readonly PaidBlob[]
  /** every movement of coins that the message makes; left out where only the chain knows them */
  moves?: CoinMoves
  /** what a grant that lets another account run the message is charged for it */
  charge?: readonly CoinText[]
  /** what a MsgUndelegate asks for; after a slash the event may state one unit less */
  unbondAmount?: bigint
  /** what the other side of a channel answered, which is then the version of both */
  channelVersion?: string
  /** where a MsgForward sends on to; `recipient` is 64 hex digits */
  forwardTo?: { domain: number; recipient: string }
  /** the security module that a proof is for, as the message writes it */
  ism?: string
  /** who delivered a Hyperlane message, and its metadata as hex text */
  delivery?: { relayer: string; metadata: string }
  /** changes that need more than the events tell; asked only when the message took effect */
  effects?: (scope: MessageScope) => Effect[]
}

/** undefined when the value is not such a message. `success`: some links exist only when the tx succeeded. */
export type MessageHandler = (value: Uint8Array, success: boolean) => MessagePart | undefined

export type MessageTable = Record<`/${string}`, MessageHandler>

export function handler<S extends DescMessage>(
  schema: S,
  derive: (msg: MessageShape<S>, success: boolean) => MessagePart,
): MessageHandler {
  return (value, success) => {
    const msg = readAs(schema, value)
    return msg && derive(msg, success)
  }
}

/** The message in these bytes; undefined when they hold another kind or are broken. */
export function readAs<S extends DescMessage>(schema: S, value: Uint8Array | undefined): MessageShape<S> | undefined {
  return value && (decodeAny(`/${schema.typeName}`, value)?.message as MessageShape<S> | undefined)
}

/** A message that leaves nothing but a link to the one account that signed it. */
export function signedBy<S extends DescMessage>(
  schema: S,
  role: AddressRole,
  pick: (msg: MessageShape<S>) => string,
): MessageHandler {
  return handler(schema, (msg) => {
    const address = pick(msg)
    return { signers: [address], links: [[role, address]] }
  })
}
