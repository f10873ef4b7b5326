import type { BlockFacts } from '../types/block-facts.ts'
import type { ValidatorUpdate } from '../types/chain.ts'
import { emptyBlock } from './empty-block.ts'
import { cutToMicros } from './time.ts'

/** The block below the one that an index without state begins with, as far as it is needed, and who signs from there on. */
export type Start = { height: number; time: string; versionApp: number; validators: ValidatorUpdate[] }

/** Its pseudo-block. Like that of a genesis it has no hash. */
export function deriveStart({ validators, time, ...header }: Start): BlockFacts {
  return {
    ...emptyBlock({ ...header, time: cutToMicros(time) }),
    effects: validators.map((validator) => ({ kind: 'validator-power', ...validator })),
  }
}
