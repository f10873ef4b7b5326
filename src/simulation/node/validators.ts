import { parseResults } from '../../chain/parse-results.ts'
import { ValidatorSet } from '../../chain/validator-set.ts'
import { deriveGenesis } from '../../derive/genesis.ts'
import type { ReplayChain } from './chain.ts'
import { toForgedBlock } from './forge.ts'

/** Who signs a height: the validators of the genesis with the updates of all results that count by then. */
export async function findValidators(chain: ReplayChain, height: number): Promise<ValidatorSet> {
  let validators = ValidatorSet.of(await listGenesisValidators(chain))
  // Updates count two heights later.
  for (let earlier = chain.first; earlier <= height - 2; earlier++) {
    const raw = await chain.block(earlier)
    if (!raw) break
    const { block, results } = toForgedBlock(raw)
    validators = validators.update(parseResults(results, earlier, block.block.data.txs?.length ?? 0).validatorUpdates)
  }
  return validators
}

async function listGenesisValidators(chain: ReplayChain) {
  const { facts } = deriveGenesis(JSON.parse(Buffer.from(await chain.genesis()).toString('utf8')))
  return facts.effects.flatMap((effect) =>
    effect.kind === 'validator-power' && effect.publicKey !== undefined
      ? [{ publicKey: effect.publicKey, power: effect.power }]
      : [],
  )
}
