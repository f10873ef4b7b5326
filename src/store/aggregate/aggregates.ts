import type { Family } from '../families/family.ts'
import type { RollupRegistry } from '../families/rollups.ts'
import type { State } from '../state/state.ts'
import { createAddressAggregate } from './address.ts'
import { createBlockAggregate } from './block.ts'
import { createCountAggregate } from './count.ts'
import { createExtremeAggregate } from './extreme.ts'
import { createNamespaceAggregate } from './namespace.ts'
import { createRewardAggregate } from './reward.ts'
import { createRollupAggregate } from './rollup.ts'
import { createSignatureAggregate } from './signature.ts'
import { createStakingAggregate } from './staking.ts'
import { createTransferAggregate } from './transfer.ts'

/** Series of what blocks hold. They run after blobs and rollups and before the totals: the head is still that of the block before. */
export function createBlockAggregates(state: State, registry: () => RollupRegistry): Family[] {
  return [
    createBlockAggregate(state),
    createExtremeAggregate(state),
    createCountAggregate(state),
    createNamespaceAggregate(state),
    createAddressAggregate(state),
    createRollupAggregate(state, registry),
  ]
}

/** Series about validators, channels and tokens that were there before. They run after staking. */
export function createStateAggregates(state: State): Family[] {
  return [
    createSignatureAggregate(state),
    createStakingAggregate(state),
    createRewardAggregate(state),
    createTransferAggregate(state),
  ]
}
