import { amount, dec, int, time } from './column.ts'
import { defineTable } from './table-def.ts'

export const stakingBucketTable = defineTable({
  name: 'staking_bucket',
  key: ['validator_id', 'frame', 'time'],
  residence: 'keys',
  columns: {
    validator_id: int,
    frame: int,
    time,
    delegations: amount,
    unbondings: amount,
    delegations_count: int,
    unbondings_count: int,
  },
})

export const stakeMonthTable = defineTable({
  name: 'stake_month',
  key: ['validator_id', 'time'],
  residence: 'keys',
  columns: { validator_id: int, time, stake: amount },
})

export const rewardMarkTable = defineTable({
  name: 'reward_mark',
  key: ['validator_id', 'frame', 'time'],
  residence: 'keys',
  columns: { validator_id: int, frame: int, time, rewards: dec, commissions: dec },
})

/** Below zero for what an exported chain brought along. */
export const commissionWithdrawnTable = defineTable({
  name: 'commission_withdrawn',
  key: ['validator_id'],
  residence: 'all',
  columns: { validator_id: int, amount: dec },
})
