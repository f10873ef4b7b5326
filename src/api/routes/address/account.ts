import { type Static, Type } from 'typebox'
import { encodeAddress } from '../../../lib/encoding/bech32.ts'
import {
  type AddressRow,
  countAddresses,
  findAddress,
  findAddressId,
  listAddresses,
  listBalances,
} from '../../../store/read/address/account.ts'
import { type CelestialRow, listCelestials } from '../../../store/read/celestial.ts'
import { listBalancesAt } from '../../../store/read/history/balances.ts'
import { unknownAddress } from '../../http/unknown.ts'
import type { RouteGroup } from '../../route.ts'
import { Address, Balance } from '../../schema/address.ts'
import { Celestial } from '../../schema/celestial.ts'
import { Address as AddressText, Limit, Offset, Paging, SortAsc } from '../../schema/query.ts'
import { Integer, NoContent } from '../../schema/values.ts'
import { toCelestials } from '../../view/account.ts'
import { AsOf, findAskedHeight } from '../history/past.ts'

const AddressList = Type.Object({
  ...Paging,
  sort: SortAsc,
  sort_by: Type.Enum(['id', 'spendable', 'delegated', 'unbonding', 'first_height', 'last_height'], { default: 'id' }),
})

const Hash = Type.Object({ hash: AddressText })

/** An account without any utia shows zeros, not empty texts as the reference does. */
export function toAddress(row: AddressRow): Static<typeof Address> {
  return {
    id: row.id,
    first_height: row.first_height,
    last_height: row.last_height,
    is_forwarding: row.is_forwarding,
    hash: encodeAddress('celestia', row.account[0]),
    name: row.name ?? undefined,
    balance: { currency: 'utia', spendable: row.spendable, delegated: row.delegated, unbonding: row.unbonding },
    celestials: toCelestials(row.account),
  }
}

const toCelestial = (row: CelestialRow): Static<typeof Celestial> => ({
  ...row,
  primary: row.status === 'PRIMARY' ? true : undefined,
})

export const accountRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/address',
    {
      schema: {
        operationId: 'list-addresses',
        summary: 'Accounts',
        description: 'Sorted by id or a balance: accounts that ever held utia. Sorted by a height: all accounts.',
        tags: ['address'],
        querystring: AddressList,
        response: { 200: Type.Array(Address) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ query }) => (await listAddresses(db, query)).map(toAddress),
  )

  app.get(
    '/address/count',
    {
      schema: {
        operationId: 'count-addresses',
        summary: 'How many accounts there are',
        notOnPage: 'the head counts accounts',
        tags: ['address'],
        response: { 200: Integer, 204: NoContent },
      },
    },
    () => countAddresses(db),
  )

  app.get(
    '/address/:hash',
    {
      schema: {
        operationId: 'get-address',
        summary: 'An account',
        tags: ['address'],
        description: 'With `height` or `at` the balance is that of the time; everything else is as it is now.',
        params: Hash,
        querystring: Type.Object(AsOf),
        response: { 200: Address, 204: NoContent },
      },
    },
    async ({ params, query }) => {
      const height = await findAskedHeight(db, query, head()?.last_height)
      const row = await findAddress(db, params.hash)
      if (!row || height === undefined) return row && toAddress(row)
      if (row.first_height > height) return undefined
      const [balance] = await listBalancesAt(db, row.id, height)
      return { ...toAddress(row), balance: balance! }
    },
  )

  app.get(
    '/address/:hash/balances',
    {
      schema: {
        operationId: 'list-address-balances',
        summary: 'Balances of an account in all denominations',
        tags: ['address'],
        params: Hash,
        querystring: Type.Object({ limit: Limit, offset: Offset, ...AsOf }),
        response: { 200: Type.Array(Balance), 204: NoContent },
      },
    },
    async ({ params, query: { limit, offset, ...asked } }) => {
      const height = await findAskedHeight(db, asked, head()?.last_height)
      if (height === undefined) return listBalances(db, { limit, offset, address: params.hash })
      const row = await findAddress(db, params.hash)
      if (!row || row.first_height > height) return undefined
      return (await listBalancesAt(db, row.id, height)).slice(offset, offset + limit)
    },
  )

  app.get(
    '/address/:hash/celestials',
    {
      schema: {
        operationId: 'list-address-celestials',
        summary: 'Names of an account, last changed first',
        notOnPage: 'the account shows its name',
        tags: ['address'],
        params: Hash,
        querystring: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })), offset: Offset }),
        response: { 200: Type.Array(Celestial) },
      },
      needsState: false,
      // Names change without a block.
      cache: 'none',
      needs: 'offchain',
    },
    async ({ params, query }) => {
      const names = await listCelestials(db, { ...query, address: params.hash })
      if (names.length === 0 && (await findAddressId(db, params.hash)) === undefined) throw unknownAddress(params.hash)
      return names.map(toCelestial)
    },
  )
}
