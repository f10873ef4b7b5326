import { type Static, Type } from 'typebox'
import {
  type DelegationRow,
  listDelegations,
  listRedelegations,
  listUndelegations,
  type RedelegationRow,
  type UndelegationRow,
} from '../../../store/read/address/staking.ts'
import { listVestings, type VestingRow } from '../../../store/read/vesting.ts'
import { unknownAddress } from '../../http/unknown.ts'
import type { RouteGroup } from '../../route.ts'
import { Address, Flag, Limit, Offset } from '../../schema/query.ts'
import { Delegation, Redelegation, Undelegation } from '../../schema/staking.ts'
import { Vesting } from '../../schema/vesting.ts'
import { toShortValidator } from '../../view/validator.ts'

const Hash = Type.Object({ hash: Address })
const Page = { limit: Limit, offset: Offset }

const toDelegation = ({ amount, validator }: DelegationRow): Static<typeof Delegation> => ({
  amount,
  validator: toShortValidator(validator),
})

const toUndelegation = ({ height, time, completion_time, amount, validator }: UndelegationRow): Static<typeof Undelegation> => ({
  height,
  time,
  completion_time,
  amount,
  validator: toShortValidator(validator),
})

const toRedelegation = (row: RedelegationRow): Static<typeof Redelegation> => ({
  height: row.height,
  time: row.time,
  completion_time: row.completion_time,
  amount: row.amount,
  source: toShortValidator(row.source),
  destination: toShortValidator(row.destination),
})

const EPOCH = '1970-01-01T00:00:00Z'

/** Which times a type has, and that an unknown one of these is the epoch: docs/rules.md R31. */
const toVesting = ({ id, height, time, type, amount, start_time, end_time, tx_hash }: VestingRow): Static<typeof Vesting> => ({
  id,
  height,
  time,
  start_time: type === 'continuous' || type === 'periodic' ? (start_time ?? EPOCH) : undefined,
  end_time:
    type === 'continuous' || type === 'delayed' ? (end_time ?? EPOCH) : type === 'periodic' ? (end_time ?? undefined) : undefined,
  hash: tx_hash ?? undefined,
  type,
  amount,
})

export const addressStakingRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/address/:hash/delegations',
    {
      schema: {
        operationId: 'list-address-delegations',
        summary: 'Delegations of an account, largest first',
        tags: ['address'],
        params: Hash,
        querystring: Type.Object({ ...Page, show_zero: Flag(false, 'also delegations of which nothing is left') }),
        response: { 200: Type.Array(Delegation) },
      },
    },
    async ({ params, query }) => {
      const rows = await listDelegations(db, { ...query, address: params.hash })
      if (!rows) throw unknownAddress(params.hash)
      return rows.map(toDelegation)
    },
  )

  app.get(
    '/address/:hash/undelegations',
    {
      schema: {
        operationId: 'list-address-undelegations',
        summary: 'Unbondings of an account that are not finished, largest first',
        tags: ['address'],
        params: Hash,
        querystring: Type.Object(Page),
        response: { 200: Type.Array(Undelegation) },
      },
    },
    async ({ params, query }) => {
      const rows = await listUndelegations(db, { ...query, address: params.hash })
      if (!rows) throw unknownAddress(params.hash)
      return rows.map(toUndelegation)
    },
  )

  app.get(
    '/address/:hash/redelegations',
    {
      schema: {
        operationId: 'list-address-redelegations',
        summary: 'Redelegations of an account that are not finished, largest first',
        tags: ['address'],
        params: Hash,
        querystring: Type.Object(Page),
        response: { 200: Type.Array(Redelegation) },
      },
    },
    async ({ params, query }) => {
      const rows = await listRedelegations(db, { ...query, address: params.hash })
      if (!rows) throw unknownAddress(params.hash)
      return rows.map(toRedelegation)
    },
  )

  app.get(
    '/address/:hash/vestings',
    {
      schema: {
        operationId: 'list-address-vestings',
        summary: 'Vesting schedules of an account, last to end first',
        tags: ['address'],
        params: Hash,
        querystring: Type.Object({
          ...Page,
          show_ended: Flag(false, 'also those that ended before the last block, or never end'),
        }),
        response: { 200: Type.Array(Vesting) },
      },
    },
    async ({ params, query }) => {
      const rows = await listVestings(db, { ...query, address: params.hash, now: head()?.last_time ?? EPOCH })
      if (!rows) throw unknownAddress(params.hash)
      return rows.map(toVesting)
    },
  )
}
