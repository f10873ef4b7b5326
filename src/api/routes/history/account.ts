import { type Static, Type } from 'typebox'
import { findAddressId } from '../../../store/read/address/account.ts'
import { type ChangeRow, listChanges, listStatement } from '../../../store/read/history/changes.ts'
import type { Part } from '../../../types/balance-change.ts'
import { unknownAddress } from '../../http/unknown.ts'
import type { RouteGroup } from '../../route.ts'
import { BalanceChange, CauseName, PartName, StatementLine } from '../../schema/history.ts'
import { Address, CommaList, Paging, Period, SortAsc, SortDesc } from '../../schema/query.ts'

export const ChangeList = {
  ...Paging,
  cause: Type.Optional(CommaList(CauseName, { description: 'why the amount changed' })),
  denom: Type.Optional(Type.String({ maxLength: 300, description: 'denomination, such as utia' })),
  ...Period,
}

/** Changes of several types are sorted as far as they are skipped; 100,000 of them take 0.1 s. */
export const DEEPEST_CHANGE = 100_000

const Parts = Type.Optional(CommaList(PartName, { description: 'what of the account changed' }))

const toChange = ({ denom, tx_hash, part, ...row }: ChangeRow): Static<typeof BalanceChange> => ({
  ...row,
  part: part as Part,
  currency: denom,
  tx_hash: tx_hash ?? undefined,
})

export const accountHistoryRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/address/:hash/history',
    {
      schema: {
        operationId: 'list-address-history',
        summary: 'Every change of what an account has, newest first',
        notOnPage: 'the statement shows the same changes with their prices',
        description:
          '`amount` is what changed and `balance` what the account had of it afterwards: coins (`spendable`), stake (`delegated`) or stake ' +
          'on its way back (`unbonding`). Module accounts have part in every transaction; their changes are summed over a block.',
        tags: ['address'],
        params: Type.Object({ hash: Address }),
        querystring: Type.Object({ ...ChangeList, part: Parts, sort: SortDesc }),
        response: { 200: Type.Array(BalanceChange) },
      },
      cursorOf: (row) => row.id,
      deepestOffset: DEEPEST_CHANGE,
      cost: 2,
    },
    async ({ params, query: { cause: causes, part: parts, ...query } }) => {
      const addressId = await findAddressId(db, params.hash)
      if (addressId === undefined) throw unknownAddress(params.hash)
      return (await listChanges(db, { ...query, addressId, causes, parts })).map(toChange)
    },
  )

  app.get(
    '/address/:hash/statement',
    {
      schema: {
        operationId: 'list-address-statement',
        summary: 'The history of an account with the price of its time, oldest first',
        description:
          'For accounts and tax: one line per change between `from` and `to`. `price` is that of one token in US dollars at the end of the hour ' +
          '(of the day, where no hour is known), `value` what the change was worth by it; both are absent without a price. As CSV with ' +
          '`Accept: text/csv` and a large `limit`.',
        tags: ['address'],
        params: Type.Object({ hash: Address }),
        querystring: Type.Object({ ...ChangeList, part: Parts, sort: SortAsc }),
        response: { 200: Type.Array(StatementLine) },
      },
      // Prices come from outside the chain and move between blocks.
      cache: 'none',
      cursorOf: (row) => row.id,
      deepestOffset: DEEPEST_CHANGE,
      cost: 2,
      needs: 'offchain',
    },
    async ({ params, query: { cause: causes, part: parts, ...query } }) => {
      const addressId = await findAddressId(db, params.hash)
      if (addressId === undefined) throw unknownAddress(params.hash)
      const lines = await listStatement(db, { ...query, addressId, causes, parts })
      return lines.map(({ price, value, ...row }) => ({ ...toChange(row), price: price ?? undefined, value: value ?? undefined }))
    },
  )
}
