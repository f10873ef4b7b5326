/** Why an amount of an account changed. The names are stored and shown. */
export const CAUSES = [
  /** the account starts with it */
  'genesis',
  'transfer',
  'fee',
  'reward',
  'commission',
  /** coins become stake */
  'delegation',
  'redelegation',
  /** stake begins to unbond */
  'unbonding',
  'cancel_unbonding',
  /** what was unbonding becomes coins */
  'unbonded',
  'slash',
  /** stake of a slashed validator is worth a base unit more or less when somebody else moves theirs */
  'rounding',
  /** between the two staking pools */
  'bonding',
  /** fees and new coins on their way to delegators */
  'distribution',
  'community_pool',
  /** of a proposal */
  'deposit',
  'ibc',
  /** Hyperlane and forwarding */
  'bridge',
  /** coins that a vesting account starts with */
  'vesting',
  'fibre',
  'mint',
  'burn',
] as const

export type Cause = (typeof CAUSES)[number]

/** Part of an account that changed: coins it holds, stake, or unbonding stake. */
export const PARTS = ['spendable', 'delegated', 'unbonding'] as const

export type Part = (typeof PARTS)[number]
