import { type Static, Type } from 'typebox'
import { encodeAddress } from '../../../lib/bech32.ts'
import type { Db } from '../../../store/db.ts'
import { findAddressId } from '../../../store/read/address/account.ts'
import { findIbcTransfer, type IbcTransferRow, listIbcTransfers } from '../../../store/read/ibc/transfer.ts'
import { type RelayerEntry, readRelayers } from '../../../store/read/registry.ts'
import type { RouteGroup } from '../../group.ts'
import { IbcTransfer, Relayer } from '../../schema/ibc.ts'
import { Address, Paging, RowId, SortDesc, TxHash } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'
import { toShortAddressOr } from '../../view/account.ts'
import { toSafeInteger } from '../../write-json.ts'

const TransferList = Type.Object({
  ...Paging,
  sort: SortDesc,
  channel_id: Type.Optional(Type.String()),
  chain_id: Type.Optional(Type.String()),
  receiver: Type.Optional(Address),
  sender: Type.Optional(Address),
  address: Type.Optional(Address),
  hash: Type.Optional(TxHash),
})

const toTransfer = (row: IbcTransferRow, relayers: Map<string, RelayerEntry>): Static<typeof IbcTransfer> => ({
  id: row.id,
  time: row.time,
  height: row.height,
  channel_id: row.channel_id,
  connection_id: row.connection_id,
  port: row.port_id,
  amount: row.amount,
  denom: row.denom,
  memo: row.memo || undefined,
  timeout: row.timeout ?? undefined,
  timeout_height: row.timeout_height === '0' ? undefined : toSafeInteger(row.timeout_height),
  tx_hash: row.tx_hash ?? '',
  sequence: toSafeInteger(row.sequence),
  chain_id: row.chain_id,
  sender: toShortAddressOr(row.sender, { hash: row.sender_text }),
  receiver: toShortAddressOr(row.receiver, { hash: row.receiver_text }),
  relayer: row.relayer === null ? undefined : relayers.get(encodeAddress('celestia', row.relayer)),
})

/** Known relayers by the accounts they sign with; not asked for when no row has one. */
async function relayersOf(db: Db, rows: IbcTransferRow[]): Promise<Map<string, RelayerEntry>> {
  if (rows.every((row) => row.relayer === null)) return new Map()
  const relayers = await readRelayers(db)
  return new Map(relayers.flatMap((relayer) => (relayer.addresses ?? []).map((address) => [address, relayer])))
}

export const ibcTransferRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/ibc/transfer',
    {
      schema: {
        operationId: 'list-ibc-transfers',
        summary: 'Token transfers over IBC, newest first',
        tags: ['ibc'],
        querystring: TransferList,
        response: { 200: Type.Array(IbcTransfer), 204: NoContent },
      },
      cursorOf: (row) => row.id,
    },
    async ({ query: { sender, receiver, address, hash, ...query } }) => {
      const [sender_id, receiver_id, party_id] = await Promise.all(
        [sender, receiver, address].map((party) => party && findAddressId(db, party)),
      )
      const isUnknown = (party: Buffer | undefined, id: number | undefined) => party !== undefined && id === undefined
      if (isUnknown(sender, sender_id) || isUnknown(receiver, receiver_id) || isUnknown(address, party_id)) return undefined
      const rows = await listIbcTransfers(db, { ...query, sender_id, receiver_id, party_id, tx_hash: hash })
      const relayers = await relayersOf(db, rows)
      return rows.map((row) => toTransfer(row, relayers))
    },
  )

  app.get(
    '/ibc/transfer/:id',
    {
      schema: {
        operationId: 'get-ibc-transfer',
        summary: 'A token transfer over IBC',
        tags: ['ibc'],
        params: Type.Object({ id: RowId }),
        response: { 200: IbcTransfer, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findIbcTransfer(db, params.id)
      return row && toTransfer(row, await relayersOf(db, [row]))
    },
  )

  app.get(
    '/ibc/relayers',
    {
      schema: {
        operationId: 'list-ibc-relayers',
        summary: 'Known relayers and the accounts they use',
        tags: ['ibc'],
        response: { 200: Type.Array(Relayer) },
      },
      cache: 'none',
    },
    () => readRelayers(db),
  )
}
