/**
 * Mailboxes, tokens and transfers. Transfers are read from events alone: they also happen inside MsgForward and IBC packets. The warp
 * event tells who and how much, the core event beside it carries the message itself.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { fromHex, toHex } from '../../lib/encoding/bytes.ts'
import type { ChainEvent } from '../../types/chain.ts'
import type { Effect } from '../../types/effects.ts'
import { typedNumberOf, typedTextOf, typedValueOf } from '../attributes.ts'
import { type Coin, parseAmount, parseCoins } from '../coins.ts'
import type { EventHandler, EventTable } from './handler.ts'

export const hyperlaneEvents: EventTable = {
  'hyperlane.core.v1.EventCreateMailbox': (event) => {
    const mailbox = idOf(event, 'mailbox_id')
    if (mailbox === undefined) return undefined
    return {
      kind: 'hl-mailbox',
      mailbox,
      owner: accountOf(event, 'owner') ?? null,
      defaultIsm: idOf(event, 'default_ism') ?? null,
      defaultHook: idOf(event, 'default_hook') ?? null,
      requiredHook: idOf(event, 'required_hook') ?? null,
      localDomain: typedNumberOf(event, 'local_domain') ?? 0,
    }
  },
  'hyperlane.core.v1.EventSetMailbox': (event) => {
    const mailbox = idOf(event, 'mailbox_id')
    if (mailbox === undefined) return undefined
    const defaultIsm = idOf(event, 'default_ism')
    const defaultHook = idOf(event, 'default_hook')
    const requiredHook = idOf(event, 'required_hook')
    return {
      kind: 'hl-mailbox-set',
      mailbox,
      ...newOwnerOf(event),
      ...(defaultIsm === undefined ? {} : { defaultIsm }),
      ...(defaultHook === undefined ? {} : { defaultHook }),
      ...(requiredHook === undefined ? {} : { requiredHook }),
    }
  },
  'hyperlane.warp.v1.EventCreateCollateralToken': createToken('collateral'),
  'hyperlane.warp.v1.EventCreateSyntheticToken': createToken('synthetic'),
  'hyperlane.warp.v1.EventCreateNativeSyntheticToken': createToken('synthetic'),
  'hyperlane.warp.v1.EventSetToken': (event) => {
    const token = idOf(event, 'token_id')
    return token === undefined ? undefined : { kind: 'hl-token-set', token, ...newOwnerOf(event) }
  },
  'hyperlane.warp.v1.EventSendRemoteTransfer': (event, at, { events }) => {
    const token = idOf(event, 'token_id')
    const domain = typedNumberOf(event, 'destination_domain')
    if (token === undefined || domain === undefined) return undefined
    const dispatch = findNear(
      events,
      at,
      (near) =>
        near.type === 'hyperlane.core.v1.EventDispatch' &&
        idOf(near, 'sender') === token &&
        typedNumberOf(near, 'destination') === domain,
    )
    return {
      kind: 'hl-transfer',
      direction: 'send',
      token,
      domain,
      counterparty: counterpartyOf(event, 'recipient'),
      address: accountOf(event, 'sender') ?? null,
      relayer: null,
      metadata: NO_BYTES,
      ...coinOf(event, 'amount'),
      ...messageOf(dispatch),
    }
  },
  'hyperlane.warp.v1.EventReceiveRemoteTransfer': (event, at, { events, part }) => {
    const token = idOf(event, 'token_id')
    const domain = typedNumberOf(event, 'origin_domain')
    if (token === undefined || domain === undefined) return undefined
    const process = findNear(
      events,
      at,
      (near) =>
        near.type === 'hyperlane.core.v1.EventProcess' &&
        idOf(near, 'recipient') === token &&
        typedNumberOf(near, 'origin') === domain,
    )
    return {
      kind: 'hl-transfer',
      direction: 'receive',
      token,
      domain,
      counterparty: counterpartyOf(event, 'sender'),
      address: accountOf(event, 'recipient') ?? null,
      relayer: decodeAccount(part?.delivery?.relayer ?? '') ?? null,
      metadata: fromHex(stripPrefix(part?.delivery?.metadata ?? '')) ?? NO_BYTES,
      ...coinOf(event, 'amount'),
      ...messageOf(process),
    }
  },
  'hyperlane.core.post_dispatch.v1.EventCreateIgp': (event) => {
    const igp = idOf(event, 'igp_id')
    if (igp === undefined) return undefined
    return { kind: 'hl-igp', igp, owner: accountOf(event, 'owner') ?? null, denom: typedTextOf(event, 'denom') }
  },
  'hyperlane.core.post_dispatch.v1.EventSetIgp': (event) => {
    const igp = idOf(event, 'igp_id')
    if (igp === undefined) return undefined
    return { kind: 'hl-igp-set', igp, owner: accountOf(event, 'owner') ?? null, ...newOwnerOf(event) }
  },
  'hyperlane.core.post_dispatch.v1.EventSetDestinationGasConfig': (event) => {
    const igp = idOf(event, 'igp_id')
    const remoteDomain = typedNumberOf(event, 'remote_domain')
    if (igp === undefined || remoteDomain === undefined) return undefined
    return {
      kind: 'hl-igp-config',
      igp,
      remoteDomain,
      gasOverhead: parseAmount(typedTextOf(event, 'gas_overhead')) ?? 0n,
      gasPrice: parseAmount(typedTextOf(event, 'gas_price')) ?? 0n,
      tokenExchangeRate: typedTextOf(event, 'token_exchange_rate'),
    }
  },
  'hyperlane.core.post_dispatch.v1.EventGasPayment': (event) => {
    const igp = idOf(event, 'igp_id')
    const messageId = idOf(event, 'message_id')
    if (igp === undefined || messageId === undefined) return undefined
    return {
      kind: 'hl-gas-payment',
      igp,
      messageId,
      destination: typedNumberOf(event, 'destination') ?? 0,
      gasAmount: parseAmount(typedTextOf(event, 'gas_amount')) ?? 0n,
      ...coinOf(event, 'payment'),
    }
  },
}

const NO_BYTES = new Uint8Array(0)

function createToken(type: 'collateral' | 'synthetic'): EventHandler {
  return (event): Effect | undefined => {
    const token = idOf(event, 'token_id')
    if (token === undefined) return undefined
    const mailbox = idOf(event, 'origin_mailbox') ?? ''
    return {
      kind: 'hl-token',
      token,
      type,
      mailbox,
      denom: typedTextOf(event, 'origin_denom'),
      owner: accountOf(event, 'owner') ?? null,
    }
  }
}

function stripPrefix(text: string): string {
  return text.startsWith('0x') ? text.slice(2) : text
}

/** 32-byte id as 64 hex digits. */
export function toHyperlaneId(text: string): string | undefined {
  const hex = stripPrefix(text).toLowerCase()
  return /^[0-9a-f]{64}$/.test(hex) ? hex : undefined
}

export function idOf(event: ChainEvent, key: string): string | undefined {
  return toHyperlaneId(typedTextOf(event, key))
}

function accountOf(event: ChainEvent, key: string): string | undefined {
  return decodeAccount(typedTextOf(event, key))
}

/** Nothing when the owner stays, null when the ownership was given up. */
function newOwnerOf(event: ChainEvent): { owner?: string | null } {
  if (typedTextOf(event, 'renounce_ownership') === 'true') return { owner: null }
  const owner = accountOf(event, 'new_owner')
  return owner === undefined ? {} : { owner }
}

/** The other chain's party: hex without leading zeros. */
function counterpartyOf(event: ChainEvent, key: string): string {
  return stripPrefix(typedTextOf(event, key)).toLowerCase().replace(/^0+/, '')
}

/** A coin is text (possibly empty) or an object, depending on the module's version. */
export function coinOf(event: ChainEvent, key: string): Coin {
  const value = typedValueOf(event, key)
  if (typeof value === 'string') return parseCoins(value)[0] ?? { denom: '', amount: parseAmount(value) ?? 0n }
  const { denom, amount } = (Array.isArray(value) ? value[0] : value) ?? ({} as Record<string, unknown>)
  return {
    denom: typeof denom === 'string' ? denom : '',
    amount: (typeof amount === 'string' ? parseAmount(amount) : undefined) ?? 0n,
  }
}

/** The event that belongs to the one at `at`: usually the next such, else the last one before. */
function findNear(events: readonly ChainEvent[], at: number, matches: (event: ChainEvent) => boolean): ChainEvent | undefined {
  for (let next = at + 1; next < events.length; next++) if (matches(events[next]!)) return events[next]
  for (let before = at - 1; before >= 0; before--) if (matches(events[before]!)) return events[before]
  return undefined
}

/** version 1, nonce 4, origin 4, sender 32, destination 4, recipient 32, body */
const BODY_START = 77

function messageOf(event: ChainEvent | undefined): {
  mailbox: string
  version: number
  nonce: number
  body: Uint8Array
  messageId: string
} {
  const mailbox = (event && idOf(event, 'origin_mailbox_id')) ?? ''
  const bytes = (event && fromHex(stripPrefix(typedTextOf(event, 'message')))) ?? NO_BYTES
  if (bytes.length < BODY_START)
    return { mailbox, version: 0, nonce: 0, body: NO_BYTES, messageId: (event && idOf(event, 'message_id')) ?? '' }
  const nonce = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1)
  const messageId = (event && idOf(event, 'message_id')) ?? toHex(keccak_256(bytes))
  return { mailbox, version: bytes[0]!, nonce, body: bytes.subarray(BODY_START), messageId }
}
