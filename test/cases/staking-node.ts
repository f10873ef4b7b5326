/** Validator of the staking model, and the arithmetic of its stake: shares and tokens with the rounding of the chain. */
import type { VoteOption } from '../../src/decode/gen/cosmos/gov/v1/types_pb.ts'
import type { anAccount, aValidator } from '../builders.ts'

export const ONE = 10n ** 18n

export type Account = ReturnType<typeof anAccount>
export type Operator = ReturnType<typeof aValidator>
/** Vote options with their weight x 10^18. */
export type Ballot = [option: VoteOption, weight: bigint][]
/** `name`: of the validator it began at. */
export type Entry = { by: Account; name: string; height: number; ends: number; initial: bigint; balance: bigint }
export type Move = { by: Account; to: Node; height: number; ends: number; initial: bigint; shares: bigint }

/**
 * Validator of an operator. `joined` and `left`: the heights at which it came into the set and went out of it; `left` is null while it is in,
 * or if it never was. Once it is removed the operator may make another validator, which goes by another name.
 */
export type Node = {
  operator: Operator
  name: string
  removed: boolean
  past: { name: string; jailed: boolean }[]
  tokens: bigint
  shares: bigint
  jailed: boolean
  tombstoned: boolean
  bonded: boolean
  joined: number
  left: number | null
  power: bigint
  delegations: Map<Account, bigint>
  unbondings: Entry[]
  redelegations: Move[]
}

/** Half to even on the 18th digit, as the chain's decimals round. */
export function round(value: bigint): bigint {
  const [whole, rest] = [value / ONE, value % ONE]
  return rest * 2n > ONE || (rest * 2n === ONE && whole % 2n === 1n) ? whole + 1n : whole
}

/** Tokens behind shares, x 10^18. */
const powerOf = (node: Node, shares: bigint): bigint => round((shares * node.tokens * ONE * ONE) / node.shares)

/** The tokens that so many shares are worth. */
export function worth(node: Node, shares: bigint): bigint {
  return node.shares === 0n ? 0n : powerOf(node, shares) / ONE
}

/**
 * Tally by the number of the option, in whole units. A voter speaks for its own stake, an operator also for all that
 * nobody else speaks for. Only who is in the set and not in jail counts.
 */
export function tally(nodes: readonly Node[], votes: ReadonlyMap<Account, Ballot>): bigint[] {
  const sums = [0n, 0n, 0n, 0n, 0n]
  for (const node of nodes.filter(({ bonded, jailed, shares }) => bonded && !jailed && shares > 0n)) {
    const count = (shares: bigint, ballot: Ballot) => {
      for (const [option, weight] of ballot) sums[option]! += round(powerOf(node, shares) * weight)
    }
    let rest = node.shares
    for (const [voter, ballot] of votes) {
      const held = node.delegations.get(voter)
      if (held === undefined) continue
      rest -= held
      count(held, ballot)
    }
    const own = votes.get(node.operator)
    if (own) count(rest, own)
  }
  return sums.map((sum) => sum / ONE)
}
