import { aSend } from '../txs/bank.ts'
import { aBlob, aPayForBlobs } from '../txs/blob.ts'
import { aTypedEvent } from '../txs/events.ts'
import type { BuiltTx } from '../txs/tx.ts'
import {
  affordable,
  amountUpTo,
  type BlockContext,
  balanceOf,
  newcomer,
  oneUser,
  payFor,
  RESERVE,
  whole,
} from './block-context.ts'
import { vote } from './gov-txs.ts'
import { type RollupProfile, TX_KINDS, type TxKind } from './profile.ts'
import { randomBytes } from './random-bytes.ts'
import { delegate, redelegate, undelegate, withdraw } from './stake-txs.ts'
import { relay, transferOut } from './transfer-txs.ts'

/** Undefined when it cannot be done just now: nobody votes without a proposal. */
type Maker = (context: BlockContext) => BuiltTx | undefined

const MAKERS: Record<TxKind, Maker> = {
  blobs: payForBlobs,
  send,
  'failed-send': failedSend,
  delegate,
  undelegate,
  redelegate,
  withdraw,
  vote,
  transfer: transferOut,
  relay,
}

export function makeRandomTx(context: BlockContext): BuiltTx | undefined {
  const { random, profile } = context
  const kind = pickWeighted(random() * sumOf(profile.weights), TX_KINDS, (each) => profile.weights[each])
  return MAKERS[kind](context)
}

const sumOf = (weights: Readonly<Record<TxKind, number>>) => TX_KINDS.reduce((sum, kind) => sum + weights[kind], 0)

function pickWeighted<T>(draw: number, list: readonly T[], weightOf: (item: T) => number): T {
  let rest = draw
  for (const item of list) {
    rest -= weightOf(item)
    if (rest < 0) return item
  }
  return list.at(-1)!
}

function send(context: BlockContext): BuiltTx | undefined {
  const { random, profile } = context
  const { newcomers = 0 } = profile
  const from = oneUser(context)
  const known = newcomers > 0 && random() < newcomers ? undefined : oneUser(context)
  const amount = affordable(context, from, amountUpTo(random, 5000))
  if (from === known || amount === undefined) return undefined
  return aSend(from, known ?? newcomer(context), amount, payFor(context, from, 80_000))
}

/** Somebody sends more than they have: only the fee is paid. */
function failedSend(context: BlockContext): BuiltTx | undefined {
  const from = oneUser(context)
  const has = balanceOf(context, from)
  if (has < RESERVE) return undefined
  const log = `failed to execute message; message index: 0: spendable balance ${has}utia is smaller than ${2n * has}utia: insufficient funds`
  return aSend(from, oneUser(context), 2n * has, { ...payFor(context, from, 60_000), code: 5, codespace: 'sdk', log })
}

const BYTES_PER_SHARE = 482
const GAS_PER_SHARE = 512 * 8

function payForBlobs(context: BlockContext): BuiltTx | undefined {
  const { random, actors, profile } = context
  const total = profile.rollups.reduce((sum, { weight }) => sum + weight, 0)
  const rollup = pickWeighted(random() * total, profile.rollups, ({ weight }) => weight)
  const from = actors.rollups[profile.rollups.indexOf(rollup)]!
  const count = random() < 0.85 ? 1 : 2 + whole(random, 2)
  const namespace = pickNamespace(context, rollup)
  const { bytes, content = randomBytes } = rollup
  const blobs = Array.from({ length: count }, () => aBlob(namespace, content(random, bytes(random))))
  const shares = blobs.reduce((sum, { data }) => sum + Math.ceil(data.length / BYTES_PER_SHARE), 0)
  const paid = payFor(context, from, 75_000 + shares * GAS_PER_SHARE)
  if (balanceOf(context, from) < paid.fee) return undefined
  const event = aTypedEvent('celestia.blob.v1.EventPayForBlobs', {
    blob_sizes: blobs.map(({ data }) => data.length),
    namespaces: blobs.map(({ namespace }) => Buffer.from(namespace).toString('base64')),
    signer: from,
  })
  return aPayForBlobs(from, blobs, paid, [event])
}

function pickNamespace({ random, state }: BlockContext, { namespace, fresh = 0 }: RollupProfile): string {
  if (fresh === 0 || random() >= fresh) return namespace
  state.freshNamespaces = (state.freshNamespaces ?? 0) + 1
  return `new ${state.freshNamespaces.toString(36)}`
}
