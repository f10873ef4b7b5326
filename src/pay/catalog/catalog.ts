import { PAID_SERIES_NAMES } from '../../types/block-series.ts'
import {
  account,
  accounts,
  clampId,
  entityId,
  flag,
  height,
  limit,
  messageTypes,
  namespaceFilter,
  namespaceHash,
  namespaceId,
  namespaceVersion,
  offset,
  oneOf,
  sort,
  text,
  txHash,
  unixTime,
} from './input.ts'
import { fillPath, type KeyAnswer, type KeySurface, mapJson, type Operation, queryOf } from './operation.ts'
import { anObject, each, list, one, record, toAddress, toHead, toPrice, toValidator } from './records.ts'
import { askRollups, ROLLUP_ORDERS } from './rollups.ts'
import { askSeries, askTps, TIMEFRAMES, WINDOW_SECONDS, type Window } from './series.ts'

const paging = { limit, offset }
const period = { from: unixTime, to: unixTime }
const status = oneOf(['success', 'failed'])
const withStats = flag(false, 'include block stats')

type Draft = Omit<Operation, 'ask' | 'params' | 'query'> & Partial<Pick<Operation, 'ask' | 'params' | 'query'>>

/** Same path and inputs on the key surface unless the operation says otherwise. */
function sell(draft: Draft): Operation {
  const params = draft.params ?? {}
  const query = draft.query ?? {}
  return {
    ...draft,
    params,
    query,
    ask: draft.ask ?? ((key, inputs) => key.get(fillPath(draft.path, inputs), queryOf({ params }, inputs))),
  }
}

/** Lists of the paid surface come newest first, whatever the key surface's default is. */
const newestFirst = (path: string): Operation['ask'] => {
  return (key, inputs) => {
    const { hash, ...query } = inputs
    return key.get(fillPath(path, inputs), { sort: 'desc', ...query })
  }
}

const PAGE = 100

/** A list that is sold without paging is sold whole; the size of a tx keeps it short. */
async function askAll(key: KeySurface, path: string): Promise<KeyAnswer> {
  const rows: unknown[] = []
  for (;;) {
    const page = await key.get(path, { limit: String(PAGE), offset: String(rows.length) })
    if (page.status !== 200) return page
    const found = page.json as unknown[]
    rows.push(...found)
    if (!page.hasMore) return { status: 200, json: rows }
  }
}

/** The 23 operations that are sold, in the order of the price list. */
export const CATALOG: readonly Operation[] = [
  sell({
    id: 'getHead',
    path: '/v1/head',
    tier: 'A',
    label: 'State',
    summary: 'Indexer head: last indexed block and totals',
    query: { format: oneOf(['json'], 'json') },
    answer: { schema: record('Head'), example: { last_height: 403, last_time: '2026-01-01T00:00:00Z', total_blocks: 404 } },
    ask: (key) => mapJson(key.get('/v1/head'), one(toHead)),
  }),
  sell({
    id: 'getConstants',
    path: '/v1/constants',
    tier: 'A',
    label: 'State',
    summary: 'Network constants, of all modules or of one',
    query: { module: text('module name') },
    answer: { schema: anObject, example: { module: { blob: { gas_per_blob_byte: '8' } } } },
    ask: (key, { module }) =>
      mapJson(key.get('/v1/constants'), (json) => {
        const constants = json as { module: Record<string, unknown> }
        if (module === undefined) return constants
        return { ...constants, module: Object.hasOwn(constants.module, module) ? { [module]: constants.module[module] } : {} }
      }),
  }),
  sell({
    id: 'listBlocks',
    path: '/v1/block',
    tier: 'A',
    label: 'Blocks',
    summary: 'Blocks, newest first',
    query: { ...paging, sort, stats: withStats },
    answer: { schema: list(record('Block')), example: [{ height: 403 }] },
  }),
  sell({
    id: 'getBlock',
    path: '/v1/block/{height}',
    tier: 'A',
    label: 'Blocks',
    summary: 'Block by height',
    params: { height },
    query: { stats: withStats },
    answer: { schema: record('Block'), example: { height: 403, hash: 'AB12', time: '2026-01-01T00:00:00Z', proposer: {} } },
    ask: (key, { height: wanted = '', ...query }) => key.get(`/v1/block/${clampId(wanted)}`, query),
  }),
  sell({
    id: 'getBlockStats',
    path: '/v1/block/{height}/stats',
    tier: 'B',
    label: 'Blocks',
    summary: 'Statistics of a block: transaction count, gas, bytes, fees',
    params: { height },
    answer: { schema: anObject, example: { tx_count: 7, gas_used: 500000, bytes_in_block: 2048, fee: '4000' } },
    ask: (key, { height: wanted = '' }) => key.get(`/v1/block/${clampId(wanted)}/stats`),
  }),
  sell({
    id: 'listAddresses',
    path: '/v1/address',
    tier: 'A',
    label: 'Addresses',
    summary: 'Addresses with their balances',
    query: {
      ...paging,
      sort,
      sort_by: oneOf(['id', 'delegated', 'spendable', 'unbonding', 'first_height', 'last_height']),
    },
    answer: { schema: list(record('Address')), example: [{ hash: 'celestia1…', spendable: '1' }] },
    ask: (key, inputs) => mapJson(newestFirst('/v1/address')(key, inputs), each(toAddress)),
  }),
  sell({
    id: 'getAddress',
    path: '/v1/address/{hash}',
    tier: 'A',
    label: 'Addresses',
    summary: 'Address with its balance; 204 when it is unknown',
    params: { hash: account },
    answer: { schema: record('Address'), example: { hash: 'celestia1…', spendable: '1', delegated: '0', unbonding: '0' } },
    isEmptyAnswer: true,
    ask: (key, inputs) => mapJson(key.get(fillPath('/v1/address/{hash}', inputs)), one(toAddress)),
  }),
  sell({
    id: 'listAddressTransactions',
    path: '/v1/address/{hash}/txs',
    tier: 'A',
    label: 'Addresses',
    summary: 'Transactions signed by an address, newest first',
    params: { hash: account },
    query: { ...paging, status, msg_type: messageTypes },
    answer: { schema: list(record('Transaction')), example: [{ hash: 'ab12', status: 'success' }] },
    ask: newestFirst('/v1/address/{hash}/txs'),
  }),
  sell({
    id: 'listTransactions',
    path: '/v1/tx',
    tier: 'A',
    label: 'Transactions',
    summary: 'Transactions, newest first',
    query: { ...paging, status, msg_type: messageTypes, ...period },
    answer: { schema: list(record('Transaction')), example: [{ hash: 'ab12', status: 'success' }] },
    ask: newestFirst('/v1/tx'),
  }),
  sell({
    id: 'getTransaction',
    path: '/v1/tx/{hash}',
    tier: 'A',
    label: 'Transactions',
    summary: 'Transaction by hash',
    params: { hash: txHash },
    answer: { schema: record('Transaction'), example: { hash: 'ab12', height: 403, status: 'success', gas_used: 70000 } },
  }),
  sell({
    id: 'listTransactionMessages',
    path: '/v1/tx/{hash}/messages',
    tier: 'A',
    label: 'Transactions',
    summary: 'Messages of a transaction',
    params: { hash: txHash },
    answer: { schema: list(), example: [{ type: 'MsgPayForBlobs', data: {} }] },
    ask: (key, inputs) => askAll(key, fillPath('/v1/tx/{hash}/messages', inputs)),
  }),
  sell({
    id: 'listBlobs',
    path: '/v1/blob',
    tier: 'A',
    label: 'Blobs',
    summary: 'Blobs, newest first',
    query: { ...paging, namespace_id: namespaceFilter, signers: accounts, ...period },
    answer: { schema: list(), example: [{ commitment: 'vbGa…', size: 10 }] },
    ask: async (key, { namespace_id, ...query }) => {
      const answer = await key.get('/v1/blob', { sort: 'desc', ...query, ...(namespace_id && { namespaces: namespace_id }) })
      // There "no content" means an unknown namespace: a filter that matches nothing, hence an empty list.
      return answer.status === 204 ? { status: 200, json: [] } : answer
    },
  }),
  sell({
    id: 'listNamespaces',
    path: '/v1/namespace',
    tier: 'B',
    label: 'Namespaces',
    summary: 'Namespaces, newest or largest first',
    query: { ...paging, sort_by: oneOf(['pfb_count', 'size']) },
    answer: { schema: list(), example: [{ namespace_id: '00ab', size: 10, pfb_count: 1 }] },
    ask: newestFirst('/v1/namespace'),
  }),
  sell({
    id: 'listNamespaceBlobs',
    path: '/v1/namespace/{id}/{version}/blobs',
    tier: 'B',
    label: 'Namespaces',
    summary: 'Blobs of a namespace, newest first',
    params: { id: namespaceId, version: namespaceVersion },
    query: paging,
    answer: { schema: list(), example: [{ commitment: 'vbGa…', size: 10 }] },
    ask: (key, { id, version, ...query }) => key.get(`/v1/namespace/${id}/${version}/blobs`, { sort: 'desc', ...query }),
  }),
  sell({
    id: 'getNamespaceByHash',
    path: '/v1/namespace_by_hash/{hash}',
    tier: 'B',
    label: 'Namespaces',
    summary: 'Namespace by its base64 form',
    params: { hash: namespaceHash },
    answer: { schema: anObject, example: { namespace_id: '00ab', size: 10, pfb_count: 1 } },
  }),
  sell({
    id: 'listValidators',
    path: '/v1/validators',
    tier: 'B',
    label: 'Validators',
    summary: 'Validators, most stake first',
    query: paging,
    answer: { schema: list(record('Validator')), example: [{ moniker: 'one', voting_power: '5' }] },
    ask: (key, inputs) => mapJson(key.get('/v1/validators', inputs), each(toValidator)),
  }),
  sell({
    id: 'getValidator',
    path: '/v1/validators/{id}',
    tier: 'B',
    label: 'Validators',
    summary: 'Validator by id',
    params: { id: entityId },
    answer: {
      schema: record('Validator'),
      example: { moniker: 'one', address: 'celestiavaloper1…', voting_power: '5', commission: '0.1' },
    },
    ask: (key, { id = '' }) => mapJson(key.get(`/v1/validators/${clampId(id)}`), one(toValidator)),
  }),
  sell({
    id: 'listRollups',
    path: '/v1/rollup',
    tier: 'A',
    label: 'Rollups',
    summary: 'Rollups, largest first',
    query: { ...paging, sort_by: oneOf(ROLLUP_ORDERS) },
    answer: { schema: list(), example: [{ id: 1, name: 'one', size: 10 }] },
    ask: askRollups,
  }),
  sell({
    id: 'getRollup',
    path: '/v1/rollup/{id}',
    tier: 'A',
    label: 'Rollups',
    summary: 'Rollup by id',
    params: { id: entityId },
    answer: { schema: anObject, example: { id: 1, name: 'one', size: 10 } },
    ask: (key, { id = '' }) => key.get(`/v1/rollup/${clampId(id)}`),
  }),
  sell({
    id: 'search',
    path: '/v1/search',
    tier: 'A',
    label: 'Search',
    summary: 'Search by hash, address or identifier',
    query: { query: text('hash, address or identifier', { minLength: 1, required: true, example: '403' }) },
    answer: { schema: list(), example: [{ type: 'tx', result: {} }] },
  }),
  sell({
    id: 'getTps',
    path: '/v1/stats/tps',
    tier: 'B',
    label: 'Statistics',
    summary: 'Transactions per second over a window',
    query: { window: oneOf(Object.keys(WINDOW_SECONDS) as Window[], '5m') },
    answer: { schema: anObject, example: { window: '5m', tps: 0.5, tx_count: 150 } },
    ask: askTps,
  }),
  sell({
    id: 'getSeries',
    path: '/v1/stats/series/{name}/{timeframe}',
    tier: 'C',
    label: 'Statistics',
    summary: 'Time series, newest first',
    params: { name: oneOf(PAID_SERIES_NAMES), timeframe: oneOf(TIMEFRAMES) },
    query: period,
    answer: { schema: list(), example: [{ time: '2026-01-01T00:00:00Z', value: '12' }] },
    ask: askSeries,
  }),
  sell({
    id: 'getPrice',
    path: '/v1/stats/price/current',
    tier: 'B',
    label: 'Statistics',
    summary: 'Current price of the native token',
    query: { currency: oneOf(['USD', 'USDC'], 'USD') },
    answer: { schema: record('Price'), example: { price: '5.1', time: '2026-01-01T00:00:00Z' } },
    ask: (key, { currency = 'USD' }) =>
      mapJson(
        key.get('/v1/stats/price/current'),
        one((candle) => toPrice(candle, currency)),
      ),
  }),
]
