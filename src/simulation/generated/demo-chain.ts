import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RawBlock } from '../../chain/source.ts'
import { createSeededRandom } from '../../lib/random.ts'
import type { ReplayChain } from '../node/chain.ts'
import { type ForgedBlock, toRawBlock } from '../node/forge.ts'
import { BlockFile } from './block-file.ts'
import { DEMO_PROFILE, demoGenesisTime, demoInterval, demoPast, demoStart } from './demo.ts'
import { PRICE_FILE } from './demo-node.ts'
import { demoPrices } from './demo-price.ts'
import { ChainGenerator } from './generator.ts'

/**
 * The demo chain in a folder: begun when there is none, continued otherwise. The last block is only there to carry the votes for the one
 * before it, so a node shows one less.
 */
export type DemoChain = ReplayChain & {
  /** Makes some of the blocks of the past that are still missing; whether there are more. */
  makePast(blocks: number): boolean
  /** One more block, whose time is when it will be shown. */
  produce(now: number): void
  /** Writes the prices of the coin up to `now` into `PRICE_FILE` of the folder. */
  writePrices(now: number): void
  close(): void
}

export function openDemoChain(dir: string, now: number): DemoChain {
  const { file, kept } = BlockFile.open(dir)
  const chainId = kept?.chainId ?? `astrolabe-demo-${Math.floor(now / 1000)}`
  const genesisTime = kept?.genesisTime ?? demoGenesisTime(now)
  const generator = new ChainGenerator({
    chainId,
    genesisTime,
    profile: DEMO_PROFILE,
    ...(kept && { from: { state: kept.state, parent: file.read(kept.state.height)! } }),
  })
  /** Those that are asked for at once. */
  let recent: RawBlock[] = []

  const past = [...demoPast(demoStart(genesisTime), createSeededRandom(DEMO_PROFILE.seed))]
  const add = (time: number): ForgedBlock => {
    const forged = generator.next(time)
    file.append(forged)
    return forged
  }
  const keep = () => file.keep({ chainId, genesisTime, state: generator.state })

  return {
    chainId,
    first: 1,
    last: () => generator.state.height,
    genesis: async () => generator.genesis,
    async block(height) {
      const known = recent.find((raw) => raw.height === height)
      if (known) return known
      const forged = file.read(height)
      return forged && toRaw(forged)
    },
    ...(generator.prove && { proveState: generator.prove }),
    replaceFrom() {
      throw new Error('the demo chain has no branches')
    },
    makePast(blocks) {
      const from = generator.state.height
      for (const time of past.slice(from, from + blocks)) add(time)
      keep()
      return generator.state.height < past.length
    },
    produce(time) {
      const forged = add(Math.max(time + demoInterval(generator.state.height), generator.state.time + 1))
      recent = [...recent.slice(-RECENT), toRaw(forged)]
      keep()
    },
    writePrices(now) {
      writeFileSync(join(dir, `${PRICE_FILE}.new`), JSON.stringify(demoPrices(genesisTime, now)))
      // Whoever reads it meanwhile has the old one.
      renameSync(join(dir, `${PRICE_FILE}.new`), join(dir, PRICE_FILE))
    },
    close: () => file.close(),
  }
}

const RECENT = 20
const toRaw = (forged: ForgedBlock) => toRawBlock(forged, 'demo chain')
