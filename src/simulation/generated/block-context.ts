import type { Random } from '../../lib/random.ts'
import { anAccount } from '../txs/accounts.ts'
import { type Action, aTx, type BuiltTx, type TxSpec } from '../txs/tx.ts'
import { type Actors, userName } from './actors.ts'
import type { Profile } from './profile.ts'
import type { GeneratedState } from './state.ts'

/** The block that is being made. `height` and `time` are its own, the state is that after the txs before. */
export type BlockContext = {
  height: number
  time: number
  random: Random
  profile: Profile
  actors: Actors
  state: GeneratedState
}

export const whole = (random: Random, below: number): number => Math.floor(random() * below)
export const oneOf = <T>(random: Random, list: readonly T[]): T => list[whole(random, list.length)]!

/** An account that was there at the start or has come since. */
export function oneUser({ random, actors, state }: BlockContext): string {
  return userAt(actors, whole(random, actors.users.length + (state.newcomers ?? 0)))
}

/** An account that nobody has seen. */
export function newcomer({ actors, state }: BlockContext): string {
  const before = state.newcomers ?? 0
  state.newcomers = before + 1
  return userAt(actors, actors.users.length + before)
}

/** Addresses by position, so that somebody who is met again costs no more than somebody who was there at the start. */
const newcomers = new WeakMap<Actors, string[]>()

function userAt(actors: Actors, position: number): string {
  const known = newcomers.get(actors) ?? []
  newcomers.set(actors, known)
  return actors.users[position] ?? (known[position - actors.users.length] ??= anAccount(userName(position)).text)
}

/** A whole number of utia, most often a small one. */
export function amountUpTo(random: Random, tia: number): bigint {
  return BigInt(Math.ceil(tia * 1_000_000 * random() ** 3))
}

/** As events tell times: in whole seconds. */
export const secondText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

/** Newcomers may own nothing, or have spent it. */
export const canPay = (context: BlockContext, address: string): boolean => balanceOf(context, address) >= MOST_FEES

/** More than any tx of a user costs. */
const MOST_FEES = 100_000n

export const balanceOf = ({ state }: BlockContext, address: string): bigint => state.balances[address] ?? 0n

/** Coins that an account keeps for fees when it gives coins away. */
export const RESERVE = 1_000_000n

/** An amount that somebody can give away, which is less than was drawn when they own little; undefined when they own nothing to speak of. */
export function affordable(context: BlockContext, address: string, drawn: bigint): bigint | undefined {
  const half = (balanceOf(context, address) - RESERVE) / 2n
  if (half <= 0n) return undefined
  return drawn < half ? drawn : half
}

/** A tx with gas and a fee that people would pay, and the next sequence of its sender. */
export function payTx(context: BlockContext, from: string, actions: Action[], gas: number, more: Partial<TxSpec> = {}): BuiltTx {
  return aTx({ from, actions, ...payFor(context, from, gas), ...more })
}

export function payFor({ random, state }: BlockContext, from: string, gas: number) {
  const gasUsed = Math.floor(gas * (0.95 + 0.1 * random()))
  const gasWanted = Math.ceil(gasUsed * (1.1 + 0.3 * random()))
  const price = 0.002 + 0.01 * random() ** 4
  const sequence = state.sequences[from] ?? 0n
  state.sequences[from] = sequence + 1n
  return {
    fee: BigInt(Math.ceil(gasWanted * price)),
    gasWanted: BigInt(gasWanted),
    gasUsed: BigInt(gasUsed),
    signers: [from],
    sequence,
  }
}
