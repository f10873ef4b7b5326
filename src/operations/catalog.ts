import { Type } from 'typebox'
import { MessageType, Status } from '../api/schema/enums.ts'
import {
  AnyAddress,
  BlobPeriod,
  BlockHeight,
  CommaList,
  EntityId,
  Flag,
  NamespaceHash,
  NamespaceId,
  NamespaceOrId,
  NamespaceVersion,
  Offset,
  Period,
  SortDesc,
  StrictLimit,
  TxHash,
} from '../api/schema/query.ts'
import { PAID_SERIES_NAMES } from '../types/block-series.ts'
import { findTps, listRollups, ROLLUP_ORDERS, TPS_ROUTES, WINDOW_SECONDS, type Window } from './computed.ts'
import { type KeyRoutes, type Operation, sell } from './operation.ts'
import { anObject, list, record, toAddress, toHead, toPrice, toValidator } from './records.ts'

const paging = { limit: StrictLimit, offset: Offset }
const withStats = { stats: Flag(false, 'include block stats') }
const txFilter = {
  status: Type.Optional(Status),
  msg_type: Type.Optional(CommaList(MessageType, { description: 'comma-separated message types, e.g. MsgPayForBlobs' })),
}

/** Lists of the paid surface come newest first, whatever the key surface's default is. */
const NEWEST_FIRST = { sort: 'desc' }

/** A list that is sold without paging is sold whole; the size of a tx keeps it short. */
const WHOLE = { limit: 1_000_000, offset: 0 }

type TxList = { status?: string } & Record<string, unknown>

function listTxs({ call }: KeyRoutes, route: string, { status, ...query }: TxList, params = {}): Promise<unknown> {
  return call(route, { params, query: { ...NEWEST_FIRST, ...query, ...(status && { status: [status] }) } })
}

/** The 23 operations that are sold, in the order of the price list. */
export const CATALOG: readonly Operation[] = [
  sell({
    id: 'getHead',
    path: '/v1/head',
    tier: 'A',
    label: 'State',
    summary: 'Indexer head: last indexed block and totals',
    query: { format: Type.Enum(['json'], { default: 'json' }) },
    answer: { schema: record('Head'), example: { last_height: 403, last_time: '2026-01-01T00:00:00Z', total_blocks: 404 } },
    handle: async ({ call }) => {
      const head = await call('/v1/head')
      return head && toHead(head as Record<string, unknown>)
    },
  }),
  sell({
    id: 'getConstants',
    path: '/v1/constants',
    tier: 'A',
    label: 'State',
    summary: 'Network constants, of all modules or of one',
    query: { module: Type.Optional(Type.String({ description: 'module name' })) },
    answer: { schema: anObject, example: { module: { blob: { gas_per_blob_byte: '8' } } } },
    handle: async ({ call }, { query: { module } }) => {
      const constants = (await call('/v1/constants')) as { module: Record<string, unknown> } | undefined
      if (!constants || module === undefined) return constants
      return { ...constants, module: Object.hasOwn(constants.module, module) ? { [module]: constants.module[module] } : {} }
    },
  }),
  sell({
    id: 'listBlocks',
    path: '/v1/block',
    tier: 'A',
    label: 'Blocks',
    summary: 'Blocks, newest first',
    query: { ...paging, sort: SortDesc, ...withStats },
    answer: { schema: list(record('Block')), example: [{ height: 403 }] },
  }),
  sell({
    id: 'getBlock',
    path: '/v1/block/{height}',
    tier: 'A',
    label: 'Blocks',
    summary: 'Block by height',
    params: { height: BlockHeight },
    query: withStats,
    answer: { schema: record('Block'), example: { height: 403, hash: 'AB12', time: '2026-01-01T00:00:00Z', proposer: {} } },
  }),
  sell({
    id: 'getBlockStats',
    path: '/v1/block/{height}/stats',
    tier: 'B',
    label: 'Blocks',
    summary: 'Statistics of a block: transaction count, gas, bytes, fees',
    params: { height: BlockHeight },
    answer: { schema: anObject, example: { tx_count: 7, gas_used: 500000, bytes_in_block: 2048, fee: '4000' } },
  }),
  sell({
    id: 'listAddresses',
    path: '/v1/address',
    tier: 'A',
    label: 'Addresses',
    summary: 'Addresses with their balances',
    query: {
      ...paging,
      sort: SortDesc,
      sort_by: Type.Optional(Type.Enum(['id', 'delegated', 'spendable', 'unbonding', 'first_height', 'last_height'])),
    },
    toRecord: toAddress,
    answer: { schema: list(record('Address')), example: [{ hash: 'celestia1…', spendable: '1' }] },
  }),
  sell({
    id: 'getAddress',
    path: '/v1/address/{hash}',
    tier: 'A',
    label: 'Addresses',
    summary: 'Address with its balance; 204 when it is unknown',
    params: { hash: AnyAddress },
    toRecord: toAddress,
    answer: { schema: record('Address'), example: { hash: 'celestia1…', spendable: '1', delegated: '0', unbonding: '0' } },
    isEmptyAnswer: true,
  }),
  sell({
    id: 'listAddressTransactions',
    path: '/v1/address/{hash}/txs',
    tier: 'A',
    label: 'Addresses',
    summary: 'Transactions signed by an address, newest first',
    params: { hash: AnyAddress },
    query: { ...paging, ...txFilter },
    answer: { schema: list(record('Transaction')), example: [{ hash: 'ab12', status: 'success' }] },
    handle: (key, { params, query }) => listTxs(key, '/v1/address/:hash/txs', query, params),
  }),
  sell({
    id: 'listTransactions',
    path: '/v1/tx',
    tier: 'A',
    label: 'Transactions',
    summary: 'Transactions, newest first',
    query: { ...paging, ...txFilter, ...Period },
    answer: { schema: list(record('Transaction')), example: [{ hash: 'ab12', status: 'success' }] },
    handle: (key, { query }) => listTxs(key, '/v1/tx', query),
  }),
  sell({
    id: 'getTransaction',
    path: '/v1/tx/{hash}',
    tier: 'A',
    label: 'Transactions',
    summary: 'Transaction by hash',
    params: { hash: TxHash },
    answer: { schema: record('Transaction'), example: { hash: 'ab12', height: 403, status: 'success', gas_used: 70000 } },
  }),
  sell({
    id: 'listTransactionMessages',
    path: '/v1/tx/{hash}/messages',
    tier: 'A',
    label: 'Transactions',
    summary: 'Messages of a transaction',
    params: { hash: TxHash },
    fixed: WHOLE,
    answer: { schema: list(), example: [{ type: 'MsgPayForBlobs', data: {} }] },
  }),
  sell({
    id: 'listBlobs',
    path: '/v1/blob',
    tier: 'A',
    label: 'Blobs',
    summary: 'Blobs, newest first',
    query: {
      ...paging,
      namespace_id: Type.Optional(NamespaceOrId),
      signers: Type.Optional(CommaList(AnyAddress, { description: 'comma-separated addresses' })),
      ...BlobPeriod,
    },
    answer: { schema: list(), example: [{ commitment: 'vbGa…', size: 10 }] },
    handle: async ({ call }, { query: { namespace_id, ...query } }) => {
      const found = await call('/v1/blob', { query: { ...query, ...(namespace_id && { namespaces: [namespace_id] }) } })
      // There "nothing" means an unknown namespace: a filter that matches nothing, hence an empty list.
      return found ?? []
    },
  }),
  sell({
    id: 'listNamespaces',
    path: '/v1/namespace',
    tier: 'B',
    label: 'Namespaces',
    summary: 'Namespaces, newest or largest first',
    query: { ...paging, sort_by: Type.Optional(Type.Enum(['pfb_count', 'size'])) },
    answer: { schema: list(), example: [{ namespace_id: '00ab', size: 10, pfb_count: 1 }] },
  }),
  sell({
    id: 'listNamespaceBlobs',
    path: '/v1/namespace/{id}/{version}/blobs',
    tier: 'B',
    label: 'Namespaces',
    summary: 'Blobs of a namespace, newest first',
    params: { id: NamespaceId, version: NamespaceVersion },
    query: paging,
    answer: { schema: list(), example: [{ commitment: 'vbGa…', size: 10 }] },
  }),
  sell({
    id: 'getNamespaceByHash',
    path: '/v1/namespace_by_hash/{hash}',
    tier: 'B',
    label: 'Namespaces',
    summary: 'Namespace by its base64 form',
    params: { hash: NamespaceHash },
    answer: { schema: anObject, example: { namespace_id: '00ab', size: 10, pfb_count: 1 } },
  }),
  sell({
    id: 'listValidators',
    path: '/v1/validators',
    tier: 'B',
    label: 'Validators',
    summary: 'Validators, most stake first',
    query: paging,
    toRecord: toValidator,
    answer: { schema: list(record('Validator')), example: [{ moniker: 'one', voting_power: '5' }] },
  }),
  sell({
    id: 'getValidator',
    path: '/v1/validators/{id}',
    tier: 'B',
    label: 'Validators',
    summary: 'Validator by id',
    params: { id: EntityId },
    toRecord: toValidator,
    answer: {
      schema: record('Validator'),
      example: { moniker: 'one', address: 'celestiavaloper1…', voting_power: '5', commission: '0.1' },
    },
  }),
  sell({
    id: 'listRollups',
    path: '/v1/rollup',
    tier: 'A',
    label: 'Rollups',
    summary: 'Rollups, largest first',
    query: { ...paging, sort_by: Type.Optional(Type.Enum([...ROLLUP_ORDERS])) },
    answer: { schema: list(), example: [{ id: 1, name: 'one', size: 10 }] },
    handle: (key, { query: { sort_by = 'size', ...page } }) => listRollups(key, sort_by, page),
  }),
  sell({
    id: 'getRollup',
    path: '/v1/rollup/{id}',
    tier: 'A',
    label: 'Rollups',
    summary: 'Rollup by id',
    params: { id: EntityId },
    answer: { schema: anObject, example: { id: 1, name: 'one', size: 10 } },
  }),
  sell({
    id: 'search',
    path: '/v1/search',
    tier: 'A',
    label: 'Search',
    summary: 'Search by hash, address or identifier',
    query: { query: Type.String({ minLength: 1, description: 'hash, address or identifier', examples: ['403'] }) },
    answer: { schema: list(), example: [{ type: 'tx', result: {} }] },
  }),
  sell({
    id: 'getTps',
    path: '/v1/stats/tps',
    tier: 'B',
    label: 'Statistics',
    summary: 'Transactions per second over a window',
    query: { window: Type.Enum(Object.keys(WINDOW_SECONDS) as Window[], { default: '5m' }) },
    answer: { schema: anObject, example: { window: '5m', tps: 0.5, tx_count: 150 } },
    routes: TPS_ROUTES,
    handle: (key, { query: { window } }) => findTps(key, window),
  }),
  sell({
    id: 'getSeries',
    path: '/v1/stats/series/{name}/{timeframe}',
    tier: 'C',
    label: 'Statistics',
    summary: 'Time series, newest first',
    params: { name: Type.Enum([...PAID_SERIES_NAMES]), timeframe: Type.Enum(['hour', 'day', 'month']) },
    query: Period,
    answer: { schema: list(), example: [{ time: '2026-01-01T00:00:00Z', value: '12' }] },
  }),
  sell({
    id: 'getPrice',
    path: '/v1/stats/price/current',
    tier: 'B',
    label: 'Statistics',
    summary: 'Current price of the native token',
    query: { currency: Type.Enum(['USD', 'USDC'], { default: 'USD' }) },
    answer: { schema: record('Price'), example: { price: '5.1', time: '2026-01-01T00:00:00Z' } },
    handle: async ({ call }, { query: { currency } }) => {
      const candle = await call('/v1/stats/price/current')
      return candle && toPrice(candle as Record<string, unknown>, currency)
    },
  }),
]
