import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import type { Any } from '@bufbuild/protobuf/wkt'
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../decode/gen/cosmos/tx/v1beta1/types_pb.ts'
import type { SquareBlob } from '../../decode/square/shares.ts'
import type { AnyMessage } from '../../decode/tx.ts'
import type { ChainEvent, TxResult } from '../../types/chain.ts'
import { moduleText } from './accounts.ts'
import { anEvent, movedCoins } from './events.ts'

export function aMessage<S extends DescMessage>(schema: S, init: MessageInitShape<S>): AnyMessage {
  return { typeUrl: `/${schema.typeName}`, value: toBinary(schema, create(schema, init)) }
}

/** Message as an Any field inside another message. */
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
  /** of the signer, in the tx and in its event */
  sequence?: bigint
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
    signerInfos: (spec.publicKeys ?? []).map((publicKey) => ({ publicKey, sequence: spec.sequence ?? 0n })),
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
    anEvent('tx', { acc_seq: `${from}/${spec.sequence ?? 0n}` }),
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

export function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
  return Buffer.from(bytes)
}
