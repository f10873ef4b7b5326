import type { TableDef } from '../state/table.ts'

export type StakingBucketRow = {
  validator_id: number
  frame: number
  time: string
  delegations: bigint
  unbondings: bigint
  delegations_count: number
  unbondings_count: number
}

export const stakingBucketTable: TableDef<StakingBucketRow> = {
  name: 'staking_bucket',
  key: ['validator_id', 'frame', 'time'],
  residence: 'keys',
  columns: {
    validator_id: 'int',
    frame: 'int',
    time: 'time',
    delegations: 'amount',
    unbondings: 'amount',
    delegations_count: 'int',
    unbondings_count: 'int',
  },
}

export type StakeMonthRow = { validator_id: number; time: string; stake: bigint }

export const stakeMonthTable: TableDef<StakeMonthRow> = {
  name: 'stake_month',
  key: ['validator_id', 'time'],
  residence: 'keys',
  columns: { validator_id: 'int', time: 'time', stake: 'amount' },
}

export type RewardMarkRow = { validator_id: number; frame: number; time: string; rewards: bigint; commissions: bigint }

export const rewardMarkTable: TableDef<RewardMarkRow> = {
  name: 'reward_mark',
  key: ['validator_id', 'frame', 'time'],
  residence: 'keys',
  columns: { validator_id: 'int', frame: 'int', time: 'time', rewards: 'dec', commissions: 'dec' },
}

/** Below zero for what an exported chain brought along. */
export type CommissionWithdrawnRow = { validator_id: number; amount: bigint }

export const commissionWithdrawnTable: TableDef<CommissionWithdrawnRow> = {
  name: 'commission_withdrawn',
  key: ['validator_id'],
  residence: 'all',
  columns: { validator_id: 'int', amount: 'dec' },
}
