import { hash } from 'node:crypto'
import type { RpcEvent, RpcTxResult } from '../../chain/wire.ts'
import { buildSquare } from '../../decode/square/build-square.ts'
import { computeDataRoot } from '../../decode/square/data-root.ts'
import { layoutSquare } from '../../decode/square/layout.ts'
import { toSquareTx } from '../../decode/square/square-tx.ts'
import { attributeOf } from '../../derive/attributes.ts'
import { utiaOf } from '../../derive/coins.ts'
import { encodeAddress } from '../../lib/encoding/bech32.ts'
import { toHexUpper } from '../../lib/encoding/bytes.ts'
import { createSeededRandom } from '../../lib/random.ts'
import { freeMemory } from '../../runtime/free-memory.ts'
import type { ChainEvent } from '../../types/chain.ts'
import { type ForgedBlock, layOutBlock } from '../node/forge.ts'
import { signBlocks } from '../node/sign.ts'
import { anEvent } from '../txs/events.ts'
import { openChannels } from '../txs/ibc.ts'
import type { BuiltTx } from '../txs/tx.ts'
import { makeRandomTx } from './activity.ts'
import { type Actors, castActors } from './actors.ts'
import type { BlockContext } from './block-context.ts'
import { Electorate } from './electorate.ts'
import { makeGenesis, startState } from './genesis.ts'
import { settleProposals, submitProposal } from './gov-txs.ts'
import type { Profile } from './profile.ts'
import { beginBlock } from './rewards.ts'
import { settleStake } from './stake-txs.ts'
import type { GeneratedState } from './state.ts'

/** Where a generator continues: the state after a block, and that block. */
export type Checkpoint = { state: GeneratedState; parent: ForgedBlock }

export type GeneratorOptions = { chainId: string; genesisTime: number; profile: Profile; from?: Checkpoint }

const APP_VERSION = 9

/**
 * Makes the blocks of a chain whose keys it holds: hashes, links, data roots, signatures and results are what a chain's would be, and
 * money, stake and votes follow its rules. The same options and the same times always make the same blocks.
 */
export class ChainGenerator {
  readonly genesis: Uint8Array
  readonly #chainId: string
  readonly #profile: Profile
  readonly #actors: Actors
  readonly #electorate: Electorate
  readonly #state: GeneratedState
  #parent: ForgedBlock | undefined

  constructor({ chainId, genesisTime, profile, from }: GeneratorOptions) {
    this.#chainId = chainId
    this.#profile = profile
    this.#actors = castActors(profile)
    this.#electorate = new Electorate(profile, this.#actors)
    this.genesis = makeGenesis(chainId, genesisTime, profile, this.#actors)
    this.#state = from?.state ?? startState(genesisTime, profile, this.#actors)
    this.#parent = from?.parent
  }

  /** After the last block; changes with the next. */
  get state(): GeneratedState {
    return this.#state
  }

  /** The next block. Its time in milliseconds has to be later than that of the last. */
  next(time: number): ForgedBlock {
    const state = this.#state
    const height = state.height + 1
    const random = createSeededRandom(hash('sha256', `${this.#profile.seed}/${height}`, 'buffer').readUInt32LE(0))
    const context: BlockContext = { height, time, random, profile: this.#profile, actors: this.#actors, state }

    const missing = this.#electorate.missing(state.powers[0], state.height)
    const begin = [...beginBlock(state, time, this.#profile, this.#actors), ...tellMissing(missing, height)]
    applyCoins(state.balances, begin)
    const txs = makeTxs(context)
    const end = [...settleProposals(context), ...settleStake(context)]
    applyCoins(state.balances, end)

    const forged = this.#forge(context, missing, txs, [...toRpcEvents(begin, 'BeginBlock'), ...toRpcEvents(end, 'EndBlock')])
    state.height = height
    state.time = time
    this.#parent = forged
    return forged
  }

  #forge({ height, time, state }: BlockContext, missing: ReadonlySet<string>, txs: BuiltTx[], events: RpcEvent[]): ForgedBlock {
    const { powers } = state
    const updated = state.validators.map(({ tokens }) => tokens / UTIA_PER_POWER)
    const updates = this.#electorate.updates(powers[2], updated)
    const latest = updates.length > 0 ? updated : powers[2]
    const forged = layOutBlock({
      chainId: this.#chainId,
      height,
      time: new Date(time).toISOString(),
      txs: txs.map(({ bytes }) => bytes),
      txResults: txs.map(toRpcResult),
      events,
      validatorUpdates: updates,
      appVersion: APP_VERSION,
      proposer: this.#actors.validators[height % this.#actors.validators.length]!.signer.address,
      ...sealData(txs),
    })
    // The votes in this block are for the height before; an update counts two heights later.
    const validators = (at: number) => this.#electorate.list(powers[at - height + 1]!)
    signBlocks([forged], { validators, misses: ({ address }) => missing.has(address) }, this.#parent)
    state.powers = [powers[1], powers[2], latest]
    return forged
  }
}

const UTIA_PER_POWER = 1_000_000n

/** Transfers are applied at once, so that no later tx spends the same coins. */
function makeTxs(context: BlockContext): BuiltTx[] {
  const { random, time, height, state, profile } = context
  const txs: BuiltTx[] = []
  const add = (tx: BuiltTx | undefined) => {
    if (!tx) return
    applyCoins(state.balances, tx.result.events)
    txs.push(tx)
  }
  if (height === 1) add(openChannels())
  else {
    add(submitProposal(context))
    for (let count = profile.countTxs(random, time, time - state.time); count > 0; count--) add(makeRandomTx(context))
  }
  // Blocks have their plain txs first, then those with blobs.
  const hasBlobs = ({ bytes }: BuiltTx) => toSquareTx(bytes, APP_VERSION).kind === 'blob'
  return [...txs.filter((tx) => !hasBlobs(tx)), ...txs.filter(hasBlobs)]
}

function tellMissing(missing: ReadonlySet<string>, height: number): ChainEvent[] {
  return [...missing].map((address) =>
    anEvent('liveness', {
      address: encodeAddress('celestiavalcons', address.toLowerCase()),
      missed_blocks: '1',
      height: String(height),
    }),
  )
}

function sealData(txs: readonly BuiltTx[]): { dataHash?: string; squareSize?: number } {
  if (txs.length === 0) return {}
  const squareTxs = txs.map(({ bytes }) => toSquareTx(bytes, APP_VERSION))
  const layout = layoutSquare(squareTxs)
  const square = buildSquare(squareTxs, layout)
  const dataHash = toHexUpper(computeDataRoot(square))
  // Squares that wait for the collector make it run more often.
  freeMemory(square.bytes.buffer)
  return { dataHash, squareSize: layout.size }
}

function toRpcResult({ result }: BuiltTx): Partial<RpcTxResult> {
  const { code, codespace, log, gasWanted, gasUsed, events, signers } = result
  return {
    code,
    codespace,
    log,
    gas_wanted: String(gasWanted),
    gas_used: String(gasUsed),
    events: toRpcEvents(events),
    signers,
  }
}

function toRpcEvents(events: readonly ChainEvent[], mode?: string): RpcEvent[] {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: [...attributes, ...(mode === undefined ? [] : [['mode', mode] as const])].map(([key, value]) => ({
      key: key ?? '',
      value: value ?? '',
      index: true,
    })),
  }))
}

/** Coins move by events, here as in every reader of the chain. Only utia counts. */
function applyCoins(balances: Record<string, bigint>, events: readonly ChainEvent[]): void {
  for (const event of events) {
    const amount = utiaOf(attributeOf(event, 'amount') ?? '')
    if (event.type === 'coin_spent') move(balances, attributeOf(event, 'spender')!, -amount)
    else if (event.type === 'coin_received') move(balances, attributeOf(event, 'receiver')!, amount)
  }
}

function move(balances: Record<string, bigint>, address: string, amount: bigint): void {
  const rest = (balances[address] ?? 0n) + amount
  if (rest < 0n) throw new Error(`the generated chain spends ${-amount} utia of ${address}, which has less`)
  balances[address] = rest
}
