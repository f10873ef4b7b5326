/** Grants end by message, or automatically when a limit is used up: in a MsgExec, or in the ante handler for fees, which also says whose allowance paid. */
import { FEE_AUTHORIZATION, revokedAuthorizations } from '../../decode/authorization.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import type { ChainEvent } from '../../types/chain.ts'
import type { Effect } from '../../types/effects.ts'
import type { AddressHex } from '../../types/facts.ts'
import { attributeOf, typedTextOf } from '../attributes.ts'
import { parseCoins } from '../coins.ts'
import type { EventTable } from './handler.ts'

export const grantEvents: EventTable = {
  'cosmos.authz.v1beta1.EventRevoke': revoke,
  'cosmos.authz.v1.EventRevoke': revoke,
  revoke_feegrant: (event) => {
    const allowance = allowanceOf(event)
    return allowance && { kind: 'revoke', ...allowance }
  },
  use_feegrant: (event, _at, { events }) => {
    const allowance = allowanceOf(event)
    const fee = events.find(({ type, attributes }) => type === 'tx' && attributes.some(([key]) => key === 'fee'))
    if (!allowance || !fee) return undefined
    return { kind: 'spend-grant', ...allowance, coins: parseCoins(attributeOf(fee, 'fee') ?? '') }
  },
}

function allowanceOf(event: ChainEvent): { granter: AddressHex; grantee: AddressHex; authorization: string } | undefined {
  const granter = decodeAccount(attributeOf(event, 'granter') ?? '')
  const grantee = decodeAccount(attributeOf(event, 'grantee') ?? '')
  if (granter === undefined || grantee === undefined) return undefined
  return { granter, grantee, authorization: FEE_AUTHORIZATION }
}

function revoke(event: ChainEvent): Effect[] {
  const granter = decodeAccount(typedTextOf(event, 'granter'))
  const grantee = decodeAccount(typedTextOf(event, 'grantee'))
  const typeUrl = typedTextOf(event, 'msg_type_url')
  if (granter === undefined || grantee === undefined || typeUrl === '') return []
  return revokedAuthorizations(typeUrl).map((authorization) => ({ kind: 'revoke', granter, grantee, authorization }))
}
