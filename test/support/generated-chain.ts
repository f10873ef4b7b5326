/**
 * A chain of any length from a seed: facts as `derive` would make them, for the real write path. Balances do not move in it (that takes
 * real txs); txs, blobs, rewards, stake and transfers do, at times that cross hours, days and months.
 */
import { hash } from 'node:crypto'
import { emptyBlock } from '../../src/derive/empty-block.ts'
import { encodeAddress } from '../../src/lib/encoding/bech32.ts'
import { createSeededRandom, type Random } from '../../src/lib/random.ts'
import { packBlock } from '../../src/store/pack/pack-block.ts'
import type { PackedBlock } from '../../src/store/pack/packed-block.ts'
import type { BlockFacts } from '../../src/types/block-facts.ts'
import type { ChainEvent } from '../../src/types/chain.ts'
import type { Effect } from '../../src/types/effects.ts'
import type { BlobFacts, Dec, MessageFacts, TxFacts, ValidatorReward } from '../../src/types/facts.ts'
import { messageTypeId, typeUrlOf } from '../../src/types/message-type.ts'

export type GeneratedChainOptions = {
  seed: number
  /** seconds between blocks; more than a block time makes the chain stand still for hours or days */
  gapOf?: (random: Random) => number
  txsPerBlock?: number
  /** how often a block moves stake or tokens, 0..1 */
  effectRate?: number
  validators?: number
  start?: string
  /** from this height on another chain: the same as one of the first seed before */
  fork?: { height: number; seed: number }
}

const ONE: Dec = 10n ** 18n
const PFB = messageTypeId('MsgPayForBlobs')!
const SEND = messageTypeId('MsgSend')!
const DELEGATE = messageTypeId('MsgDelegate')!

/** By name, so that tests can register them as providers. */
export const generatedAccount = (i: number): string => hash('sha256', `generated account ${i}`, 'hex').slice(0, 40)
export const generatedNamespace = (i: number): string =>
  `00${hash('sha256', `namespace ${i}`, 'hex').slice(0, 20).padStart(56, '0')}`
const ACCOUNTS = 40
const NAMESPACES = 10

type Stake = { delegator: string; operator: string; amount: bigint }
type Entry = Stake & { height: number }

/** The genesis first, then blocks without end. Two generators of the same seed agree. */
export function* generateChain(options: GeneratedChainOptions): Generator<PackedBlock> {
  let random = createSeededRandom(options.seed)
  const operators = Array.from({ length: options.validators ?? 4 }, (_, i) => hash('sha256', `operator ${i}`, 'hex').slice(0, 40))
  const stakes: Stake[] = []
  const entries: Entry[] = []
  let time = Date.parse(options.start ?? '2026-01-30T21:10:00Z')
  yield packBlock(genesisOf(operators, time, stakes))
  for (let height = 1; ; height++) {
    if (height === options.fork?.height) random = createSeededRandom(options.fork.seed)
    time += Math.round((options.gapOf ?? (() => 6))(random) * 1000)
    yield packBlock(blockOf({ height, time, random, operators, stakes, entries, options }))
  }
}

type BlockState = {
  height: number
  time: number
  random: Random
  operators: string[]
  stakes: Stake[]
  entries: Entry[]
  options: GeneratedChainOptions
}

const toTime = (ms: number) => new Date(ms).toISOString().replace('Z', '321Z')
const digest = (text: string) => hash('sha256', text, 'hex')
const whole = (random: Random, below: number) => Math.floor(random() * below)

function blockOf(state: BlockState): BlockFacts {
  const { height, time, random, operators, options } = state
  const txs: TxFacts[] = []
  const messages: MessageFacts[] = []
  for (let i = whole(random, 2 * (options.txsPerBlock ?? 5) + 1); i > 0; i--) addTx(state, txs, messages)
  const effects = random() < (options.effectRate ?? 0.2) ? [effectOf(state)] : []
  effects.push(...powerChanges(height, operators.length))
  const rewards = operators.map((operator): ValidatorReward => {
    const reward = BigInt(whole(random, 10 ** 9)) * 1_234_567_890n
    return { operator, rewards: reward, commission: reward / 10n }
  })
  const events: ChainEvent[] = rewards.flatMap(({ operator, rewards: reward, commission }) => [
    earning('commission', operator, commission),
    earning('rewards', operator, reward),
  ])
  const blobs = txs.flatMap((tx) => tx.blobs)
  const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n)
  return {
    ...quietBlock(height, toTime(time), signersOf(height - 1, operators.length)),
    stats: {
      txCount: txs.length,
      eventsCount: events.length,
      blobsCount: blobs.length,
      blobsSize: blobs.reduce((total, blob) => total + blob.sizeBytes, 0),
      gasLimit: sum(txs.map((tx) => tx.gasWanted)),
      gasUsed: sum(txs.map((tx) => tx.gasUsed)),
      feeUtia: sum(txs.map((tx) => tx.feeUtia)),
      supplyChange: BigInt(whole(random, 1000)) - 100n,
      inflationRate: ONE / 50n,
      rewards: sum(rewards.map((entry) => entry.rewards)),
      commissions: sum(rewards.map((entry) => entry.commission)),
      bytesInBlock: blobs.reduce((total, blob) => total + blob.sizeBytes, 400 * txs.length),
      squareSize: 2 ** whole(random, 6),
    },
    events,
    txs,
    messages,
    addresses: [...new Set(messages.flatMap(({ links }) => links.map(([address]) => address)))],
    namespaces: [...new Set(blobs.map(({ namespace }) => namespace))],
    rewards,
    effects,
  }
}

/** Every fourth validator leaves the set again and again. */
const PERIOD = 40
const isSeated = (height: number) => height % PERIOD < PERIOD / 2
const leaves = (validator: number) => validator % 4 === 3

function powerChanges(height: number, validators: number): Effect[] {
  if (height % (PERIOD / 2) !== 0) return []
  return Array.from({ length: validators }, (_, i) => i)
    .filter(leaves)
    .map((i) => ({ kind: 'validator-power', ...keyOf(i), power: isSeated(height) ? 5n : 0n }))
}

/** Updates count two heights later. */
const isMember = (validator: number, height: number) => !leaves(validator) || height <= 2 || isSeated(height - 2)

const hasMissed = (validator: number, height: number) => hash('sha256', `missed ${validator} ${height}`, 'buffer')[0]! < 25

/** Nobody signs the genesis. */
const signersOf = (height: number, validators: number) =>
  Array.from({ length: height === 0 ? 0 : validators }, (_, i) => i)
    .filter((i) => isMember(i, height) && !hasMissed(i, height))
    .map((i) => keyOf(i).consAddress)

function keyOf(validator: number): { publicKey: string; consAddress: string } {
  const publicKey = digest(`key ${validator}`)
  return { publicKey, consAddress: hash('sha256', Buffer.from(publicKey, 'hex'), 'hex').slice(0, 40).toUpperCase() }
}

function addTx({ height, random }: BlockState, txs: TxFacts[], messages: MessageFacts[]): void {
  const position = txs.length
  const signer = generatedAccount(whole(random, ACCOUNTS))
  const success = random() < 0.9
  const type = [PFB, PFB, SEND, DELEGATE][whole(random, 4)]!
  const feeUtia = BigInt(whole(random, 5000))
  const blobs = type === PFB && success ? blobsOf(random, signer, feeUtia) : []
  const sizes = new Map<string, number>()
  for (const { namespace, sizeBytes } of blobs) sizes.set(namespace, (sizes.get(namespace) ?? 0) + sizeBytes)
  txs.push({
    position,
    hash: digest(`tx ${height} ${position} ${random()}`),
    gasWanted: BigInt(whole(random, 200_000)),
    gasUsed: BigInt(whole(random, 100_000)),
    feeUtia,
    feeOther: '',
    timeoutHeight: random() < 0.1 ? BigInt(height + 10) : 0n,
    memo: '',
    success,
    code: success ? 0 : 5,
    codespace: success ? '' : 'sdk',
    error: success ? '' : 'out of luck',
    messageTypes: [type],
    messagesCount: 1,
    signers: [signer],
    events: Array.from({ length: whole(random, 4) }, () => ({ type: 'tx', attributes: [['fee', `${feeUtia}utia`]] })),
    blobs,
  })
  messages.push({
    tx: position,
    position: 0,
    type,
    typeUrl: typeUrlOf(type),
    value: new Uint8Array(8),
    links: [[signer, 11]],
    validators: [],
    namespaces: [...sizes],
  })
}

function blobsOf(random: Random, signer: string, feeUtia: bigint): BlobFacts[] {
  const count = 1 + whole(random, 3)
  const share = (feeUtia * ONE) / BigInt(count)
  return Array.from({ length: count }, (_, index) => ({
    namespace: generatedNamespace(whole(random, NAMESPACES)),
    signer,
    sizeBytes: 1 + Math.floor(10 ** (random() * 6.2)),
    commitment: Buffer.from(digest(`blob ${random()}`), 'hex'),
    shareVersion: 0,
    contentType: 'application/octet-stream',
    index,
    fee: index === count - 1 ? feeUtia * ONE - share * BigInt(count - 1) : share,
  }))
}

const earning = (type: string, operator: string, amount: Dec): ChainEvent => {
  const digits = amount.toString().padStart(19, '0')
  return {
    type,
    attributes: [
      ['amount', `${digits.slice(0, -18)}.${digits.slice(-18)}utia`],
      ['validator', encodeAddress('celestiavaloper', operator)],
    ],
  }
}

function effectOf({ height, time, random, operators, stakes, entries }: BlockState): Effect {
  const operator = operators[whole(random, operators.length)]!
  const amount = BigInt(1 + whole(random, 10 ** 7))
  const completionTime = toTime(time + 21 * 86_400_000)
  const stake = stakes[whole(random, stakes.length)]!
  switch (whole(random, 7)) {
    case 0:
      return { kind: 'withdraw-commission', operator, amount: 1n }
    case 1: {
      const unbonded = stake.amount / 4n
      stake.amount -= unbonded
      entries.push({ ...stake, amount: unbonded, height })
      return { kind: 'unbond', operator: stake.operator, delegator: stake.delegator, amount: unbonded, completionTime }
    }
    case 2: {
      const entry = entries.pop()
      if (!entry || entry.height === height) break
      return { ...entry, kind: 'cancel-unbonding', creationHeight: entry.height }
    }
    case 3: {
      if (operator === stake.operator) break
      const moved = stake.amount / 3n
      stake.amount -= moved
      stakes.push({ delegator: stake.delegator, operator, amount: moved })
      return {
        kind: 'redelegate',
        source: stake.operator,
        destination: operator,
        delegator: stake.delegator,
        amount: moved,
        completionTime,
      }
    }
    case 4:
      return {
        kind: 'ibc-transfer',
        direction: random() < 0.5 ? 'in' : 'out',
        channelId: `channel-${whole(random, 3)}`,
        portId: 'transfer',
        connectionId: 'connection-0',
        amount,
        denom: random() < 0.8 ? 'utia' : 'ibc/ABC',
        memo: '',
        sender: null,
        senderText: 'cosmos1sender',
        receiver: null,
        receiverText: 'cosmos1receiver',
        timeout: null,
        timeoutHeight: 0n,
        sequence: BigInt(height),
      }
    case 5:
      return {
        kind: 'hl-transfer',
        direction: random() < 0.5 ? 'send' : 'receive',
        mailbox: '00',
        token: '01',
        // Domains take 32 bits without sign.
        domain: [1, 42_161, 4_000_000_000][whole(random, 3)]!,
        counterparty: 'ab',
        address: null,
        relayer: null,
        amount,
        denom: 'utia',
        version: 3,
        nonce: height,
        body: new Uint8Array(2),
        metadata: new Uint8Array(0),
        messageId: digest(`message ${height}`),
      }
  }
  const delegator = generatedAccount(whole(random, ACCOUNTS))
  stakes.push({ delegator, operator, amount })
  return { kind: 'delegate', operator, delegator, amount }
}

function genesisOf(operators: string[], time: number, stakes: Stake[]): BlockFacts {
  const effects: Effect[] = operators.map((operator, i) => {
    const amount = 10n ** 12n * BigInt(i + 1)
    stakes.push({ delegator: operator, operator, amount })
    return {
      kind: 'create-validator',
      operator,
      delegator: operator,
      ...keyOf(i),
      description: { moniker: `validator ${i}`, identity: '', website: '', contacts: '', details: '' },
      rate: ONE / 10n,
      maxRate: ONE / 2n,
      maxChangeRate: ONE / 5n,
      minSelfDelegation: 1n,
      amount,
    }
  })
  const powers = operators.map((_, i): Effect => ({ kind: 'validator-power', ...keyOf(i), power: BigInt(i + 1) }))
  return { ...quietBlock(0, toTime(time)), addresses: operators, effects: [...effects, ...powers] }
}

function quietBlock(height: number, time: string, signedBy: string[] = []): BlockFacts {
  return emptyBlock({
    height,
    time,
    signedBy,
    versionBlock: 11,
    versionApp: 9,
    hash: digest(`generated block ${height}`).toUpperCase(),
    parentHash: height === 0 ? '' : digest(`generated block ${height - 1}`).toUpperCase(),
  })
}
