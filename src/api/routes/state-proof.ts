import { type Static, Type } from 'typebox'
import { toDecimal } from '../../chain/state/describe.ts'
import { ValidatorSet } from '../../chain/validator-set.ts'
import { keyOf, type StateRecord, type StateValue } from '../../client/proof/state-record.ts'
import { encodeAddress } from '../../lib/encoding/bech32.ts'
import { toBase64, toHex } from '../../lib/encoding/bytes.ts'
import type { Client } from '../../lib/turn-queue.ts'
import { findValidatorRecord } from '../../store/read/claims.ts'
import { findBlockSeal } from '../../store/read/proof.ts'
import { listPowersAt } from '../../store/read/validator-set.ts'
import { Unavailable } from '../http/errors.ts'
import type { ApiContext, RouteGroup } from '../route.ts'
import { BalanceProof, SupplyProof, ValidatorProof } from '../schema/proof.ts'
import { Address, EntityId } from '../schema/query.ts'
import { NoContent } from '../schema/values.ts'
import { toBlockRef } from '../square/block-ref.ts'
import { toBlockProof } from '../view/proof.ts'

const Denom = Type.String({ default: 'utia', minLength: 1, maxLength: 128, description: 'denomination' })
const DESCRIPTION =
  'The record as the chain keeps it after the block below the head, the steps of its ICS 23 proof up to `app_hash`, and the signed header above with its validators. Absence is proven too: `value` is null then. Comes from a node and is verified before it is sent; 503 `no_state_proofs` where no node gives proofs.'

/** Proofs of balances, supply and validators for callers who trust nobody (`verify` of the typed client). */
export const stateProofRoutes: RouteGroup = (app, ctx) => {
  const options = { cost: 5 } as const

  app.get(
    '/address/:hash/proof',
    {
      schema: {
        operationId: 'get-address-proof',
        summary: 'Proof of what an account has',
        description: DESCRIPTION,
        tags: ['address'],
        params: Type.Object({ hash: Address }),
        querystring: Type.Object({ denom: Denom }),
        response: { 200: BalanceProof, 204: NoContent },
      },
      ...options,
    },
    async ({ params, query: { denom }, client }) => {
      const address = toHex(params.hash)
      const proof = await proveRecord(ctx, { kind: 'balance', address, denom }, client)
      return proof && { address: encodeAddress('celestia', address), denom, amount: amountOf(proof.proven), ...proof.fields }
    },
  )

  app.get(
    '/supply/proof',
    {
      schema: {
        operationId: 'get-supply-proof',
        summary: 'Proof of the supply of a denomination',
        notOnPage: 'the page verifies balances; programs verify the supply with the client',
        description: DESCRIPTION,
        tags: ['supply'],
        querystring: Type.Object({ denom: Denom }),
        response: { 200: SupplyProof, 204: NoContent },
      },
      ...options,
    },
    async ({ query: { denom }, client }) => {
      const proof = await proveRecord(ctx, { kind: 'supply', denom }, client)
      return proof && { denom, amount: amountOf(proof.proven), ...proof.fields }
    },
  )

  app.get(
    '/validators/:id/proof',
    {
      schema: {
        operationId: 'get-validator-proof',
        summary: 'Proof of tokens, shares and state of a validator',
        notOnPage: 'the page verifies balances; programs verify validators with the client',
        description: DESCRIPTION,
        tags: ['validator'],
        params: Type.Object({ id: EntityId }),
        response: { 200: ValidatorProof, 204: NoContent },
      },
      ...options,
    },
    async ({ params, client }) => {
      const indexed = await findValidatorRecord(ctx.db, params.id)
      if (indexed?.record.kind !== 'validator') return undefined
      const proof = await proveRecord(ctx, indexed.record, client)
      return (
        proof && {
          operator: encodeAddress('celestiavaloper', indexed.record.operator),
          ...stakeOf(proof.proven),
          ...proof.fields,
        }
      )
    },
  )
}

type Proven = {
  proven: StateValue | undefined
  fields: Pick<Static<typeof SupplyProof>, 'height' | 'store' | 'key' | 'value' | 'ops' | 'block'>
}

/** The head commits to the state after the block below it. Undefined while nothing is indexed. */
async function proveRecord({ db, head, blocks }: ApiContext, record: StateRecord, client: Client): Promise<Proven | undefined> {
  const last = head()?.last_height
  const seal = last === undefined ? undefined : await findBlockSeal(db, last)
  if (!seal) return undefined
  if (!blocks.proveRecord || !blocks.signedHeader)
    throw new Unavailable('no_state_proofs', 'blocks do not come from nodes here, and only nodes prove the state', 60)
  const validators = ValidatorSet.of(await listPowersAt(db, seal.height))
  const signed = await blocks.signedHeader(toBlockRef(seal), validators)
  if (!signed) throw new Unavailable('no_state_proofs', `no node has the votes for block ${seal.height} yet`, 5)
  const height = seal.height - 1
  const root = { height, appHash: Buffer.from(signed.header.app_hash, 'hex') }
  const { proven, bytes, ops } = await blocks.proveRecord(record, root, client)
  const { store, key } = keyOf(record)
  return {
    proven,
    fields: {
      height,
      store,
      key: toBase64(key),
      value: bytes ? toBase64(bytes) : null,
      ops: ops.map((op) => ({ type: op.type, key: toBase64(op.key), data: toBase64(op.data) })),
      block: toBlockProof(signed, validators),
    },
  }
}

function amountOf(value: StateValue | undefined): string {
  return value && 'amount' in value ? String(value.amount) : '0'
}

function stakeOf(value: StateValue | undefined) {
  if (!value || !('tokens' in value)) return {}
  return { tokens: String(value.tokens), shares: toDecimal(value.shares), jailed: value.jailed, bonded: value.bonded }
}
