import { type Static, Type } from 'typebox'
import { findAddressId } from '../../store/read/address/account.ts'
import { findUpgrade, listSignals, listUpgrades, type SignalRow, type UpgradeRow } from '../../store/read/governance/signal.ts'
import { findTxIds } from '../../store/read/tx/tx-id.ts'
import type { RouteGroup } from '../route.ts'
import { Address, BlockHeight, EntityId, Limit, Offset, Paging, Period, RowId, SortDesc, TxHash } from '../schema/query.ts'
import { SignalVersion, Upgrade } from '../schema/signal.ts'
import { NoContent } from '../schema/values.ts'
import { toShortAddressOr } from '../view/account.ts'
import { toShortValidator } from '../view/validator.ts'

/** `from` and `to` do filter here; the reference takes and ignores them. 0 is no version, validator or height: "not given". */
const SignalList = Type.Object({
  ...Paging,
  sort: SortDesc,
  version: Type.Optional(RowId),
  validator_id: Type.Optional(EntityId),
  tx_hash: Type.Optional(TxHash),
  ...Period,
})

const UpgradeList = Type.Object({
  limit: Limit,
  offset: Offset,
  sort: SortDesc,
  height: Type.Optional(BlockHeight),
  tx_hash: Type.Optional(TxHash),
  signer: Type.Optional(Address),
})

const toSignal = (row: SignalRow): Static<typeof SignalVersion> => ({
  ...row,
  tx_hash: row.tx_hash ?? '',
  validator: row.validator === null ? undefined : toShortValidator(row.validator),
})

const toUpgrade = ({ message_id, ...row }: UpgradeRow): Static<typeof Upgrade> => ({
  ...row,
  end_height: row.end_height ?? undefined,
  end_time: row.end_time ?? undefined,
  applied_at_level: row.applied_at_level ?? undefined,
  applied_at: row.applied_at ?? undefined,
  msg_id: message_id ?? undefined,
  tx_hash: row.tx_hash ?? undefined,
  signer: toShortAddressOr(row.signer, undefined),
})

export const signalRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/signal',
    {
      schema: {
        operationId: 'list-signals',
        summary: 'Signals of validators for an app version, newest first',
        tags: ['signal'],
        querystring: SignalList,
        response: { 200: Type.Array(SignalVersion), 204: NoContent },
      },
      cursorOf: (row) => row.id,
    },
    async ({ query: { tx_hash, ...query } }) => {
      const tx_ids = tx_hash && (await findTxIds(db, tx_hash))
      if (tx_ids?.length === 0) return undefined
      return (await listSignals(db, { ...query, tx_ids })).map(toSignal)
    },
  )

  app.get(
    '/signal/upgrade',
    {
      schema: {
        operationId: 'list-upgrades',
        summary: 'Upgrades that validators signalled for, highest version first',
        tags: ['signal'],
        querystring: UpgradeList,
        response: { 200: Type.Array(Upgrade), 204: NoContent },
      },
    },
    async ({ query: { tx_hash, signer, ...query } }) => {
      const tx_ids = tx_hash && (await findTxIds(db, tx_hash))
      const signer_id = signer && (await findAddressId(db, signer))
      if (tx_ids?.length === 0 || (signer && signer_id === undefined)) return undefined
      return (await listUpgrades(db, { ...query, tx_ids, signer_id })).map(toUpgrade)
    },
  )

  app.get(
    '/signal/upgrade/:version',
    {
      schema: {
        operationId: 'get-upgrade',
        summary: 'The upgrade to a version',
        tags: ['signal'],
        params: Type.Object({ version: RowId }),
        response: { 200: Upgrade, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findUpgrade(db, params.version)
      return row && toUpgrade(row)
    },
  )
}
