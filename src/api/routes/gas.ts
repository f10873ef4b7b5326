import { Type } from 'typebox'
import { averageGasPrices } from '../../store/read/gas.ts'
import { findConstants } from '../../store/read/general.ts'
import { estimatePfbGas } from '../gas-estimate.ts'
import { BadRequest } from '../http/errors.ts'
import type { RouteGroup } from '../route.ts'
import { GasPrice } from '../schema/gas.ts'
import { CommaList } from '../schema/query.ts'
import { Decimal, Integer, NoContent } from '../schema/values.ts'

/** Blocks whose prices are averaged. */
const WINDOW = 100
/** No validator takes less (utia per gas). */
const FLOOR = 0.004
/** A tx may carry more blobs than a filter has values; nothing is looked up per item. */
const MAX_BLOBS = 4096
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
    },
    readPrices,
  )

  app.get(
    '/gas/price/:priority',
    {
      schema: {
        operationId: 'get-gas-price-of-priority',
        summary: 'One of the gas prices',
        tags,
        params: Type.Object({ priority: Type.Enum(['slow', 'median', 'fast']) }),
        response: { 200: Decimal },
      },
    },
    async ({ params: { priority } }) => (await readPrices())[priority],
  )

  /** Also what the `gas_price` channel pushes. */
  async function readPrices() {
    const head = ctx.head()
    const average = head && (await averageGasPrices(db, { head: head.last_height, blocks: WINDOW }))
    if (!average) return { slow: '0', median: '0', fast: '0' }
    const format = (price: number) => Math.max(price, FLOOR).toFixed(6)
    return { slow: format(average.slow), median: format(average.median), fast: format(average.fast) }
  }
}
