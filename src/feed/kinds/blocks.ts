import { writeJson } from '../../api/http/write-json.ts'
import type { RouteReader, WireObject } from '../../api/route-reader.ts'
import { toGasPrice } from '../../api/view/gas.ts'
import type { EventKind, PlainKind } from '../kind.ts'

/** `hash` in lower-case hex. */
export type BlockFacts = { hash: string }

/** Every block, as `/v1/block/{height}?stats=true` answers it. */
export function blockEvents(routes: RouteReader): PlainKind<BlockFacts> {
  const read = routes.route('/v1/block/:height')
  return {
    types: ['block'],
    isIn: () => true,
    async read({ height }) {
      const block = (await read({ stats: true }, { height })) as WireObject | undefined
      if (!block) return []
      const facts = { hash: String(block.hash).toLowerCase() }
      return [{ type: 'block', position: 0, json: writeJson(block).trimEnd(), facts }]
    },
    matches: () => true,
  }
}

/** The gas price, as `/v1/gas/price` answered at that height, where its median rises to the wanted level. */
export const gasPriceEvents: EventKind<{ before: number; now: number }> = {
  types: ['gas_price'],
  isIn: ({ gas_median: now, median_before: before }, { minGasPrice }) => rises({ before: before ?? 0, now }, minGasPrice),
  read: async ({ gas_slow: slow, gas_median: now, gas_fast: fast, median_before: before }) => [
    {
      type: 'gas_price',
      position: 0,
      json: writeJson(toGasPrice({ slow, median: now, fast })).trimEnd(),
      facts: { before: before ?? 0, now },
    },
  ],
  matches: ({ facts }, { minGasPrice }) => rises(facts, minGasPrice),
}

/** Without a level every change is told. */
function rises({ before, now }: { before: number; now: number }, level: number | undefined): boolean {
  return level === undefined ? now !== before : now >= level && before < level
}
