import type { Transfer } from '../txs/ibc.ts'

/** Everything that the next block of a generated chain depends on, besides its parent. Amounts are utia; `Dec` is times 10^18. */
export type GeneratedState = {
  height: number
  /** milliseconds, of the block at `height` */
  time: number
  /** by address */
  balances: Record<string, bigint>
  /** other denominations, each by address; absent from a chain that an older release began: nothing of its state can be proven */
  foreign?: Record<string, Record<string, bigint>>
  validators: ValidatorState[]
  delegations: Delegation[]
  unbondings: Unbonding[]
  redelegations: Redelegation[]
  proposals: Proposal[]
  nextProposal: { id: number; at: number }
  /** by address */
  sequences: Record<string, bigint>
  /** accounts and namespaces that came after the start */
  newcomers?: number
  freshNamespaces?: number
  packets: { sent: bigint; received: bigint; pending: Transfer[] }
  /** voting power by validator at the last height and at the two that follow */
  powers: [last: bigint[], next: bigint[], afterwards: bigint[]]
}

/** `earned` is the reward so far of one utia of stake, times 10^36; `commission` (Dec) waits to be withdrawn. */
export type ValidatorState = { tokens: bigint; earned: bigint; commission: bigint }
/** `validator` is a position in the list; `paidTo` is what `earned` was when rewards were last paid. */
export type Delegation = { by: string; validator: number; amount: bigint; paidTo: bigint }
export type Unbonding = { by: string; validator: number; amount: bigint; ends: number }
export type Redelegation = { by: string; from: number; to: number; amount: bigint; ends: number }
export type Proposal = { id: number; by: string; deposit: bigint; ends: number; votes: Record<string, number> }

const BIG = /^-?\d+n$/

export function writeState(state: GeneratedState): string {
  return JSON.stringify(state, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

export function readState(text: string): GeneratedState {
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'string' && BIG.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as GeneratedState
}
