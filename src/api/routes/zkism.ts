import { type Static, Type } from 'typebox'
import type { Db } from '../../store/db.ts'
import { findAddressId } from '../../store/read/address/account.ts'
import { findTxIds } from '../../store/read/tx/tx-id.ts'
import { findZkIsm, listZkIsmMessages, listZkIsms, listZkIsmUpdates, type ZkIsmRow } from '../../store/read/zkism.ts'
import { unknownAddress, unknownTx } from '../http/unknown.ts'
import type { RouteGroup } from '../route.ts'
import { ZkISM, ZkISMMessage, ZkISMUpdate } from '../schema/bridge/modules.ts'
import { Address, EntityId, Paging, Period, SortDesc, TxHash } from '../schema/query.ts'
import { NoContent } from '../schema/values.ts'
import { toShortAddressOr } from '../view/account.ts'

const ModuleList = Type.Object({ ...Paging, sort: SortDesc, tx_hash: Type.Optional(TxHash), address: Type.Optional(Address) })
const HistoryList = Type.Object({ ...ModuleList.properties, ...Period })
const Id = Type.Object({ id: EntityId })

const toZkIsm = ({ number, ism_id, creator, ...row }: ZkIsmRow): Static<typeof ZkISM> => ({
  id: number,
  external_id: ism_id,
  height: row.height,
  time: row.time,
  tx_hash: row.tx_hash ?? undefined,
  state: row.state || undefined,
  merkle_tree_address: row.merkle_tree_address || undefined,
  state_transition_vkey: row.state_transition_vkey || undefined,
  state_membership_vkey: row.state_membership_vkey || undefined,
  groth16_vkey: row.groth16_vkey || undefined,
  creator: toShortAddressOr(creator, undefined),
})

/** Ids behind the filters; what the chain does not know is refused. */
async function resolveFilters(db: Db, { address, tx_hash }: { address?: Buffer | undefined; tx_hash?: Buffer | undefined }) {
  const account = address && (await findAddressId(db, address))
  if (address && account === undefined) throw unknownAddress(address, 'address')
  const tx_ids = tx_hash && (await findTxIds(db, tx_hash))
  if (tx_hash && tx_ids?.length === 0) throw unknownTx(tx_hash, 'tx_hash')
  return { account, tx_ids }
}

/** Interchain security modules that check zero-knowledge proofs. */
export const zkismRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/hyperlane/zkism',
    {
      schema: {
        operationId: 'list-zkisms',
        summary: 'Zero-knowledge security modules, newest first',
        tags: ['hyperlane'],
        querystring: ModuleList,
        response: { 200: Type.Array(ZkISM) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ query: { address, tx_hash, ...query } }) => {
      const { account, tx_ids } = await resolveFilters(db, { address, tx_hash })
      return (await listZkIsms(db, { ...query, creator_id: account, tx_ids })).map(toZkIsm)
    },
  )

  app.get(
    '/hyperlane/zkism/:id',
    {
      schema: {
        operationId: 'get-zkism',
        summary: 'A zero-knowledge security module',
        tags: ['hyperlane'],
        params: Id,
        response: { 200: ZkISM, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findZkIsm(db, params.id)
      return row && toZkIsm(row)
    },
  )

  app.get(
    '/hyperlane/zkism/:id/updates',
    {
      schema: {
        operationId: 'list-zkism-updates',
        summary: 'State updates of a module, newest first',
        tags: ['hyperlane'],
        params: Id,
        querystring: HistoryList,
        response: { 200: Type.Array(ZkISMUpdate) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ params, query: { address, tx_hash, ...query } }) => {
      const { account, tx_ids } = await resolveFilters(db, { address, tx_hash })
      const rows = await listZkIsmUpdates(db, { ...query, number: params.id, signer_id: account, tx_ids })
      return rows.map(({ state, signer, tx_hash, ...row }) => ({
        ...row,
        tx_hash: tx_hash ?? undefined,
        new_state: state || undefined,
        signer: toShortAddressOr(signer, undefined),
      }))
    },
  )

  app.get(
    '/hyperlane/zkism/:id/messages',
    {
      schema: {
        operationId: 'list-zkism-messages',
        summary: 'Messages that a module authorised, newest first',
        tags: ['hyperlane'],
        params: Id,
        querystring: HistoryList,
        response: { 200: Type.Array(ZkISMMessage) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ params, query: { address, tx_hash, ...query } }) => {
      const { account, tx_ids } = await resolveFilters(db, { address, tx_hash })
      const rows = await listZkIsmMessages(db, { ...query, number: params.id, signer_id: account, tx_ids })
      return rows.map(({ state_root, message_id, signer, tx_hash, ...row }) => ({
        ...row,
        tx_hash: tx_hash ?? undefined,
        state_root: state_root || undefined,
        message_id: message_id || undefined,
        signer: toShortAddressOr(signer, undefined),
      }))
    },
  )
}
