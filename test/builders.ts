/**
 * Blocks, txs and events for tests, as a node would tell them: give them to `deriveBlock`, and its facts to the real write path.
 * Coins move by events, so a chain that is written has to start from a genesis whose accounts own them.
 */
import { hash } from 'node:crypto'
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import type { Any } from '@bufbuild/protobuf/wkt'
import { unwrapTx } from '../src/decode/blob-tx.ts'
import { MsgPayForBlobsSchema } from '../src/decode/gen/celestia/blob/v1/types_pb.ts'
import { MsgSendSchema } from '../src/decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../src/decode/gen/cosmos/tx/v1beta1/types_pb.ts'
import { computeCommitment } from '../src/decode/square/commitment.ts'
import { layoutSquare, type TxShape } from '../src/decode/square/layout.ts'
import type { SquareBlob } from '../src/decode/square/shares.ts'
import type { AnyMessage } from '../src/decode/tx.ts'
import { consensusAddress, encodeAddress, moduleAccount } from '../src/lib/bech32.ts'
import type { ChainBlock, ChainEvent, TxResult } from '../src/types/chain.ts'

export const CHAIN_ID = 'astrolabe-built-1'
const GENESIS_TIME = Date.parse('2026-01-01T00:00:00Z')
const SECONDS_PER_BLOCK = 6

/** An account by name: the same name is always the same account. */
export function anAccount(name: string): { hex: string; text: string; operator: string } {
  const hex = hash('sha256', `account ${name}`, 'hex').slice(0, 40)
  return { hex, text: encodeAddress('celestia', hex), operator: encodeAddress('celestiavaloper', hex) }
}

/** A validator by name: its operator is the account of that name. `consAddress` is upper-case hex, `consText` its bech32 form. */
export function aValidator(name: string): {
  hex: string
  text: string
  operator: string
  key: Uint8Array
  consAddress: string
  consText: string
} {
  const key = new Uint8Array(hash('sha256', `consensus key ${name}`, 'buffer'))
  const consAddress = consensusAddress(key)
  return { ...anAccount(name), key, consAddress, consText: encodeAddress('celestiavalcons', consAddress.toLowerCase()) }
}

export const moduleText = (name: string): string => encodeAddress('celestia', moduleAccount(name))

export function anEvent(type: string, attributes: Record<string, string> | [string, string][] = {}): ChainEvent {
  return { type, attributes: Array.isArray(attributes) ? attributes : Object.entries(attributes) }
}

/** A typed event: its values are JSON. */
export function aTypedEvent(type: string, attributes: Record<string, unknown>): ChainEvent {
  return anEvent(type, Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, JSON.stringify(value)])))
}

/** The events of coins that go from one account to another. `coins` is coins text such as `5utia`. */
export function movedCoins(from: string, to: string, coins: string): ChainEvent[] {
  return [
    anEvent('coin_spent', { spender: from, amount: coins }),
    anEvent('coin_received', { receiver: to, amount: coins }),
    anEvent('transfer', { recipient: to, sender: from, amount: coins }),
  ]
}

/** New coins in the account of a module. */
export function mintedCoins(module: string, coins: string): ChainEvent[] {
  const minter = moduleText(module)
  return [anEvent('coin_received', { receiver: minter, amount: coins }), anEvent('coinbase', { minter, amount: coins })]
}

export function aMessage<S extends DescMessage>(schema: S, init: MessageInitShape<S>): AnyMessage {
  return { typeUrl: `/${schema.typeName}`, value: toBinary(schema, create(schema, init)) }
}

/** The same as an Any field inside another message. */
export function anAny<S extends DescMessage>(schema: S, init: MessageInitShape<S>): Any {
  return { $typeName: 'google.protobuf.Any', ...aMessage(schema, init) }
}

/** A message and the events it causes when the tx succeeds. */
export type Action = { message: AnyMessage; events?: ChainEvent[] }

export type TxSpec = {
  /** who pays the fee and appears in the ante events */
  from: string
  actions: Action[]
  /** utia */
  fee?: bigint
  /** fee coins instead of `fee` */
  feeCoins?: { denom: string; amount: string }[]
  /** named in the tx as fee payer */
  payer?: string
  gasWanted?: bigint
  gasUsed?: bigint
  memo?: string
  timeoutHeight?: bigint
  publicKeys?: Any[]
  /** as the node lists them */
  signers?: string[]
  /** not 0: the tx failed, its messages have no events */
  code?: number
  codespace?: string
  log?: string
  /** events before the fee, such as a used-up allowance */
  anteEvents?: ChainEvent[]
  /** `0.46` has no `msg_index` */
  sdk?: '0.46' | '0.50'
  blobs?: SquareBlob[]
}

export type BuiltTx = { bytes: Uint8Array; result: TxResult }

export function aTx(spec: TxSpec): BuiltTx {
  const { from, actions, fee = 2000n, gasWanted = 100_000n, gasUsed = 80_000n, code = 0, blobs = [] } = spec
  const feeCoins = spec.feeCoins ?? [{ denom: 'utia', amount: String(fee) }]
  const body = create(TxBodySchema, {
    messages: actions.map(({ message }) => message),
    memo: spec.memo ?? '',
    timeoutHeight: spec.timeoutHeight ?? 0n,
  })
  const authInfo = create(AuthInfoSchema, {
    signerInfos: (spec.publicKeys ?? []).map((publicKey) => ({ publicKey, sequence: 0n })),
    fee: { amount: feeCoins, gasLimit: gasWanted, payer: spec.payer ?? '' },
  })
  const inner = toBinary(
    TxRawSchema,
    create(TxRawSchema, {
      bodyBytes: toBinary(TxBodySchema, body),
      authInfoBytes: toBinary(AuthInfoSchema, authInfo),
      signatures: [new Uint8Array(64).fill(7)],
    }),
  )
  const coins = feeCoins.map(({ denom, amount }) => amount + denom).join(',')
  const payer = spec.payer ?? from
  const events = [
    ...(spec.anteEvents ?? []),
    ...movedCoins(payer, moduleText('fee_collector'), coins),
    anEvent('message', { sender: payer }),
    anEvent('tx', { fee: coins, fee_payer: payer }),
    anEvent('tx', { acc_seq: `${from}/0` }),
    ...(code === 0 ? actions.flatMap((action, index) => groupOf(action, index, from, spec.sdk ?? '0.50')) : []),
  ]
  return {
    bytes: blobs.length > 0 ? wrapBlobs(inner, blobs) : inner,
    result: {
      code,
      codespace: spec.codespace ?? (code === 0 ? '' : 'sdk'),
      gasWanted,
      gasUsed,
      log: spec.log ?? (code === 0 ? '' : 'out of luck'),
      events,
      signers: spec.signers ?? [],
    },
  }
}

function groupOf({ message, events = [] }: Action, index: number, sender: string, sdk: '0.46' | '0.50'): ChainEvent[] {
  const start = anEvent('message', { action: message.typeUrl, sender })
  if (sdk === '0.46') return [start, ...events]
  return [start, ...events].map(({ type, attributes }) => ({ type, attributes: [...attributes, ['msg_index', String(index)]] }))
}

/** BlobTx {1 tx, 2 blobs, 3 "BLOB"}. */
function wrapBlobs(inner: Uint8Array, blobs: readonly SquareBlob[]): Uint8Array {
  const field = (number: number, bytes: Uint8Array) => Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
  const number = (at: number, value: number) => (value === 0 ? Buffer.alloc(0) : Buffer.concat([varint(at * 8), varint(value)]))
  const written = blobs.map(({ namespace, data, shareVersion, signer }) =>
    Buffer.concat([
      field(1, namespace.subarray(1)),
      field(2, data),
      number(3, shareVersion),
      number(4, namespace[0]!),
      signer ? field(5, signer) : Buffer.alloc(0),
    ]),
  )
  return Buffer.concat([field(1, inner), ...written.map((blob) => field(2, blob)), field(3, Buffer.from('BLOB'))])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
  return Buffer.from(bytes)
}

/** Coins from one account to another. */
export function aSend(from: string, to: string, amountUtia: bigint, spec: Partial<TxSpec> = {}): BuiltTx {
  const coins = `${amountUtia}utia`
  const message = aMessage(MsgSendSchema, {
    fromAddress: from,
    toAddress: to,
    amount: [{ denom: 'utia', amount: String(amountUtia) }],
  })
  return aTx({ from, actions: [{ message, events: movedCoins(from, to, coins) }], ...spec })
}

/** A user namespace of version 0 by name, at most 10 characters: 29 bytes. */
export function aNamespace(name: string): Uint8Array {
  const namespace = new Uint8Array(29)
  const id = Buffer.from(name)
  namespace.set(id, 29 - id.length)
  return namespace
}

export function aBlob(namespace: string, data: string | Uint8Array): SquareBlob {
  return { namespace: aNamespace(namespace), data: typeof data === 'string' ? Buffer.from(data) : data, shareVersion: 0 }
}

export function aPayForBlobs(signer: string, blobs: SquareBlob[], spec: Partial<TxSpec> = {}): BuiltTx {
  const message = aMessage(MsgPayForBlobsSchema, {
    signer,
    namespaces: blobs.map(({ namespace }) => namespace),
    blobSizes: blobs.map(({ data }) => data.length),
    shareCommitments: blobs.map(computeCommitment),
    shareVersions: blobs.map(({ shareVersion }) => shareVersion),
  })
  return aTx({ from: signer, actions: [{ message }], blobs, ...spec })
}

export type ChainBlockSpec = Partial<Omit<ChainBlock, 'txs' | 'txResults' | 'events' | 'beginEventsCount' | 'height'>> & {
  txs?: BuiltTx[]
  begin?: ChainEvent[]
  end?: ChainEvent[]
  /** blocks of one branch are linked by hash; another word makes another chain of the same heights */
  branch?: string
}

export function aBlock(
  height: number,
  { txs = [], begin = [], end = [], branch = 'main', ...rest }: ChainBlockSpec = {},
): ChainBlock {
  const layout = layoutSquare(txs.map(shapeOf))
  const upper = (text: string) => hash('sha256', text, 'hex').toUpperCase()
  return {
    height,
    chainId: CHAIN_ID,
    time: blockTime(height),
    versionBlock: 11,
    versionApp: 9,
    hash: blockHash(height, branch),
    parentHash: height <= 1 ? '' : blockHash(height - 1, branch),
    lastCommitHash: upper(`last commit ${height}`),
    dataHash: upper(`data ${height}`),
    validatorsHash: upper('validators'),
    nextValidatorsHash: upper('validators'),
    consensusHash: upper('consensus'),
    appHash: upper(`app ${height}`),
    lastResultsHash: upper(`results ${height}`),
    evidenceHash: upper('evidence'),
    proposerAddress: aValidator('proposer').consAddress,
    squareSize: layout.size,
    lastCommit: { height: height - 1, signatures: [] },
    evidence: [],
    validatorUpdates: [],
    ...rest,
    txs: txs.map(({ bytes }) => bytes),
    txResults: txs.map(({ result }) => result),
    events: [...begin, ...end],
    beginEventsCount: begin.length,
  }
}

function shapeOf({ bytes }: BuiltTx): TxShape {
  try {
    const { kind, inner, blobs } = unwrapTx(bytes)
    return { kind: kind === 'blob' ? 'blob' : 'plain', inner, blobs }
  } catch {
    // Tests may put anything into a block.
    return { kind: 'plain', inner: bytes, blobs: [] }
  }
}

export function blockTime(height: number): string {
  return new Date(GENESIS_TIME + height * SECONDS_PER_BLOCK * 1000).toISOString()
}

export function blockHash(height: number, branch = 'main'): string {
  return hash('sha256', `block ${branch} ${height}`, 'hex').toUpperCase()
}

export type GenesisSpec = {
  /** utia by address text */
  balances?: Record<string, bigint>
  /** names of validators made by genesis txs, with their stake in utia; they need a balance of at least that and the fee of 2000 */
  validators?: { name: string; stake: bigint }[]
  /** merged into `app_state` */
  appState?: Record<string, unknown>
}

/** A small genesis document of the newest layout. */
export function aGenesis({ balances = {}, validators = [], appState = {} }: GenesisSpec = {}): Record<string, unknown> {
  const supply = Object.values(balances).reduce((sum, amount) => sum + amount, 0n)
  const coins = (amount: bigint) => [{ denom: 'utia', amount: String(amount) }]
  return {
    genesis_time: blockTime(0),
    chain_id: CHAIN_ID,
    initial_height: '1',
    consensus_params: {
      block: { max_bytes: '33554432', max_gas: '-1' },
      evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
      validator: { pub_key_types: ['ed25519'] },
      version: { app: '9' },
    },
    app_state: {
      auth: {
        params: { max_memo_characters: '256', tx_sig_limit: '7', tx_size_cost_per_byte: '10' },
        accounts: Object.keys(balances).map((address) => ({ '@type': '/cosmos.auth.v1beta1.BaseAccount', address })),
      },
      bank: {
        balances: Object.entries(balances).map(([address, amount]) => ({ address, coins: coins(amount) })),
        supply: coins(supply),
        denom_metadata: [],
      },
      genutil: { gen_txs: validators.map(({ name, stake }) => genesisTx(name, stake)) },
      staking: {
        params: { unbonding_time: '60s', max_validators: 100, bond_denom: 'utia', min_commission_rate: '0.050000000000000000' },
      },
      gov: {
        params: {
          min_deposit: coins(1_000_000_000n),
          max_deposit_period: '30s',
          voting_period: '25s',
          expedited_voting_period: '10s',
          quorum: '0.334000000000000000',
          threshold: '0.500000000000000000',
          veto_threshold: '0.334000000000000000',
        },
      },
      ...appState,
    },
  }
}

function genesisTx(name: string, stake: bigint): Record<string, unknown> {
  const { operator, key } = aValidator(name)
  const message = {
    '@type': '/cosmos.staking.v1beta1.MsgCreateValidator',
    description: { moniker: name, identity: '', website: '', security_contact: '', details: '' },
    commission: { rate: '0.100000000000000000', max_rate: '0.600000000000000000', max_change_rate: '0.200000000000000000' },
    min_self_delegation: '1',
    delegator_address: '',
    validator_address: operator,
    pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: Buffer.from(key).toString('base64') },
    value: { denom: 'utia', amount: String(stake) },
  }
  return {
    body: { messages: [message], memo: `node of ${name}`, timeout_height: '0' },
    auth_info: {
      signer_infos: [],
      fee: { amount: [{ denom: 'utia', amount: '2000' }], gas_limit: '200000', payer: '', granter: '' },
    },
    signatures: [],
  }
}
