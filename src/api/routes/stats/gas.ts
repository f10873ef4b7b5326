import { Type } from 'typebox'
import { countBlobShares, SHARE_SIZE } from '../../../decode/square/share-counts.ts'
import { findGasConstants, type GasConstants, readGasPrice } from '../../../store/read/stats/gas.ts'
import { BadRequest } from '../../errors.ts'
import type { RouteGroup } from '../../group.ts'
import { GasPrice } from '../../schema/gas.ts'
import { CommaList } from '../../schema/query.ts'
import { Decimal, Integer, NoContent } from '../../schema/values.ts'

/** Gas of a PFB beside its blobs, and the bytes that each blob adds to the tx (chain-facts §9). */
const FIXED_GAS = 75_000
const TX_BYTES_PER_BLOB = 70

function estimateGas(sizes: number[], versions: number[], { txSizeCostPerByte, gasPerBlobByte }: GasConstants): number {
  const shares = sizes.reduce((sum, size, i) => sum + (size === 0 ? 0 : countBlobShares(size, versions[i] ?? 0)), 0)
  return FIXED_GAS + txSizeCostPerByte * TX_BYTES_PER_BLOB * sizes.length + shares * SHARE_SIZE * gasPerBlobByte
}

export const gasRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/gas/estimate_for_pfb',
    {
      schema: {
        operationId: 'estimate-gas-for-pfb',
        summary: 'Gas that a PayForBlobs with these blobs needs',
        tags: ['gas'],
        querystring: Type.Object({
          sizes: CommaList(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }), { description: 'bytes of each blob' }),
          versions: Type.Optional(
            CommaList(Type.Integer({ minimum: 0, maximum: 1 }), { description: 'share version of each blob, 0 when left out' }),
          ),
        }),
        response: { 200: Integer, 204: NoContent },
      },
    },
    async ({ query: { sizes, versions = [] } }) => {
      if (versions.length > 0 && versions.length !== sizes.length)
        throw new BadRequest('versions must be as many as sizes', 'versions')
      const constants = await findGasConstants(db)
      return constants && estimateGas(sizes, versions, constants)
    },
  )

  app.get(
    '/gas/price',
    {
      schema: {
        operationId: 'get-gas-price',
        summary: 'Gas prices of the last hundred blocks, utia per gas',
        tags: ['gas'],
        response: { 200: GasPrice },
      },
    },
    () => readGasPrice(db, head()?.last_height),
  )

  app.get(
    '/gas/price/:priority',
    {
      schema: {
        operationId: 'get-gas-price-by-priority',
        summary: 'One of the gas prices',
        tags: ['gas'],
        params: Type.Object({ priority: Type.Enum(['slow', 'median', 'fast']) }),
        response: { 200: Decimal },
      },
    },
    async ({ params }) => (await readGasPrice(db, head()?.last_height))[params.priority],
  )
}
