import { Type } from 'typebox'
import { averageGasPrices, listGasPrices } from '../../store/read/gas.ts'
import { findConstants } from '../../store/read/general.ts'
import { GAS_WINDOW } from '../../store/read/head/height-summary.ts'
import { BadRequest } from '../http/errors.ts'
import type { RouteGroup } from '../route.ts'
import { GasPrice, GasPricePoint } from '../schema/gas.ts'
import { CommaList } from '../schema/query.ts'
import { Decimal, Integer, NoContent } from '../schema/values.ts'
import { toGasPrice } from '../view/gas.ts'

/** A tx may carry more blobs than a filter has values; nothing is looked up per item. */
const MAX_BLOBS = 4096
/** Points of a history, however many blocks it covers. */
const POINTS = 100
/** Their transactions are read for every answer. */
const MOST_BLOCKS = 1000
const tags = ['gas']

export const gasRoutes: RouteGroup = (app, ctx) => {
  const { db } = ctx

  app.get(
    '/gas/estimate_for_pfb',
    {
      schema: {
        operationId: 'estimate-gas-for-pfb',
        summary: 'Gas that a transaction with blobs of these sizes needs',
        tags,
        querystring: Type.Object({
          sizes: CommaList(Type.Integer({ minimum: 0, maximum: 4_294_967_295 }), {
            description: 'bytes of each blob',
            maxItems: MAX_BLOBS,
          }),
          versions: Type.Optional(
            CommaList(Type.Enum([0, 1]), { description: 'share version of each blob; 0 when absent', maxItems: MAX_BLOBS }),
          ),
        }),
        response: { 200: Integer, 204: NoContent },
      },
    },
    async ({ query: { sizes, versions } }) => {
      if (versions && versions.length !== sizes.length) throw new BadRequest('versions must be as many as sizes', 'versions')
      const [txByteCost, blobByteGas] = await findConstants(db, [
        ['auth', 'tx_size_cost_per_byte'],
        ['blob', 'gas_per_blob_byte'],
      ])
      if (txByteCost === undefined || blobByteGas === undefined) return undefined
      const blobs = sizes.map((size, i) => ({ size, shareVersion: versions?.[i] ?? 0 }))
      return estimatePfbGas(blobs, { txByteCost: Number(txByteCost), blobByteGas: Number(blobByteGas) })
    },
  )

  app.get(
    '/gas/price',
    {
      schema: {
        operationId: 'get-gas-price',
        summary: 'Gas prices of the last 100 blocks, utia per gas',
        tags,
        response: { 200: GasPrice },
      },
      needsState: false,
    },
    readPrices,
  )

  app.get(
    '/gas/price/:priority',
    {
      schema: {
        operationId: 'get-gas-price-of-priority',
        summary: 'One of the gas prices',
        notOnPage: 'getGasPrice answers all three',
        tags,
        params: Type.Object({ priority: Type.Enum(['slow', 'median', 'fast']) }),
        response: { 200: Decimal },
      },
      needsState: false,
    },
    async ({ params: { priority } }) => (await readPrices())[priority],
  )

  app.get(
    '/gas/history',
    {
      schema: {
        operationId: 'get-gas-price-history',
        summary: 'Gas prices that were paid in the last blocks, utia per gas',
        description:
          'At most 100 points, oldest first, each over an equal run of blocks and named by the last of them with a fee: the prices below ' +
          'which 10, 50 and 90 percent of the transactions paid, and how many these were.',
        tags,
        querystring: Type.Object({
          blocks: Type.Optional(
            Type.Integer({ minimum: 1, maximum: MOST_BLOCKS, default: 100, description: 'how many blocks up to the newest' }),
          ),
        }),
        response: { 200: Type.Array(GasPricePoint) },
      },
      needsState: false,
    },
    async ({ query: { blocks = 100 } }) => {
      const head = ctx.head()
      if (!head) return []
      const points = await listGasPrices(db, { head: head.last_height, blocks, points: POINTS })
      const format = (price: number) => price.toFixed(6)
      return points.map((point) => ({
        ...point,
        low: format(point.low),
        median: format(point.median),
        high: format(point.high),
      }))
    },
  )

  /** Also what the `gas_price` channel pushes. */
  async function readPrices() {
    const head = ctx.head()
    const average = head && (await averageGasPrices(db, { head: head.last_height, blocks: GAS_WINDOW }))
    return average ? toGasPrice(average) : { slow: '0', median: '0', fast: '0' }
  }
}

/** Gas of a PayForBlobs by the chain's own formula (docs/rules.md R38). */

const FIXED_COST = 75_000
/** Bytes that one more blob adds to the tx. */
const BYTES_PER_BLOB_INFO = 70
const SHARE_SIZE = 512
const CONTINUATION_CONTENT = 482
const FIRST_CONTENT = [478, 458] as const

export type BlobShape = { size: number; shareVersion: 0 | 1 }

export function estimatePfbGas(blobs: BlobShape[], costs: { txByteCost: number; blobByteGas: number }): number {
  const shares = blobs.reduce((sum, blob) => sum + countShares(blob), 0)
  return FIXED_COST + costs.txByteCost * BYTES_PER_BLOB_INFO * blobs.length + shares * SHARE_SIZE * costs.blobByteGas
}

/** Share version 1 spends 20 bytes of the first share on the signer. */
function countShares({ size, shareVersion }: BlobShape): number {
  if (size === 0) return 0
  const rest = size - FIRST_CONTENT[shareVersion]
  return rest <= 0 ? 1 : 1 + Math.ceil(rest / CONTINUATION_CONTENT)
}
