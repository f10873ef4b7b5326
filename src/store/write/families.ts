import type { State } from '../state/state.ts'
import { createAccountsFamily } from './accounts.ts'
import { createBlobsFamily } from './blobs.ts'
import { createChainRowsFamily } from './chain-rows.ts'
import type { Family } from './family.ts'
import { createRollupsFamily, type RollupRegistry } from './rollups.ts'
import { createStakingFamily } from './staking.ts'
import { createTotalsFamily } from './totals.ts'

/** The order of per-block work. Totals come last: the others still see the head of the block before. */
export function createFamilies(
  state: State,
  registry: () => RollupRegistry,
): { families: Family[]; staking: ReturnType<typeof createStakingFamily> } {
  const staking = createStakingFamily(state)
  const families: Family[] = [
    createAccountsFamily(state),
    staking,
    createBlobsFamily(state),
    createRollupsFamily(state, registry),
    createChainRowsFamily(state),
    createTotalsFamily(state),
  ]
  return { families, staking }
}
