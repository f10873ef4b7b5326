import type { Random } from '../../lib/random.ts'

/** Activity of a generated chain, as far as it is chosen and not a rule of the chain. */
export type Profile = {
  seed: number
  validators: readonly ValidatorProfile[]
  /** accounts that send, delegate and vote from the start */
  users: number
  /** share of the sends that go to an account nobody has seen, which is one of the users from then on */
  newcomers?: number
  rollups: readonly RollupProfile[]
  /** how many txs a block of this time has, so many milliseconds after the one before */
  countTxs: (random: Random, time: number, elapsed: number) => number
  /** how often each kind of tx is chosen, against the others */
  weights: Readonly<Record<TxKind, number>>
  /** share of the validators that miss a block; less than a third of the power, or nobody could verify the chain */
  absent: number
  /** what a relayer puts into one tx: packets, and bytes of the other chain's header and of each proof */
  relay: { packets: number; headerBytes: number; proofBytes: number }
}

/** `stake` in utia, `commission` in hundredths. */
export type ValidatorProfile = { name: string; stake: bigint; commission: number }

/**
 * `account` pays for blobs of `namespace` (at most 10 characters); `bytes` draws the size of one, and `content` makes one of about that
 * size, of random bytes without it. `fresh` is the share of the txs whose blobs go to a namespace that nobody has used.
 */
export type RollupProfile = {
  namespace: string
  account: string
  weight: number
  bytes: (random: Random) => number
  content?: (random: Random, bytes: number) => Uint8Array
  fresh?: number
}

export const TX_KINDS = [
  'blobs',
  'send',
  'failed-send',
  'delegate',
  'undelegate',
  'redelegate',
  'withdraw',
  'vote',
  'transfer',
  'relay',
] as const
export type TxKind = (typeof TX_KINDS)[number]

/** A size between two others, small ones more often: each doubling is as likely as the next. */
export const between =
  (low: number, high: number) =>
  (random: Random): number =>
    Math.floor(low * (high / low) ** random())
