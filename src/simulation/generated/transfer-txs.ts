import { MsgUpdateClientSchema } from '../../decode/gen/ibc/core/client/v1/types_pb.ts'
import { anEvent } from '../txs/events.ts'
import {
  acknowledged,
  escrow,
  FOREIGN,
  received,
  relayer,
  sending,
  type Transfer,
  unescrowed,
  vouchersMinted,
} from '../txs/ibc.ts'
import { type Action, aMessage, type BuiltTx, varint } from '../txs/tx.ts'
import { affordable, amountUpTo, type BlockContext, balanceOf, oneUser, payTx } from './block-context.ts'
import { randomBytes } from './random-bytes.ts'

const FOREIGN_DENOM = 'uatom'
const GAS = { transfer: 150_000, packet: 130_000 }

export function transferOut(context: BlockContext): BuiltTx | undefined {
  const { random, state } = context
  const sender = oneUser(context)
  const amount = affordable(context, sender, amountUpTo(random, 500))
  if (amount === undefined) return undefined
  const transfer = { denom: 'utia', amount: String(amount), sender, receiver: FOREIGN, sequence: ++state.packets.sent }
  state.packets.pending.push(transfer)
  return payTx(context, sender, [sending(transfer)], GAS.transfer)
}

/** A relayer brings the other chain's header, the acknowledgements that wait and packets from there. */
export function relay(context: BlockContext): BuiltTx | undefined {
  const { random, state, profile } = context
  const proof = () => randomBytes(random, profile.relay.proofBytes)
  const actions = [updateClient(context, profile.relay.headerBytes)]
  for (const transfer of state.packets.pending.splice(0, profile.relay.packets))
    actions.push(acknowledged(transfer, undefined, proof()))
  for (let home = balanceOf(context, escrow.text); actions.length <= profile.relay.packets; ) {
    const packet = bringPacket(context, home)
    const amount = BigInt(packet.amount)
    const isHome = packet.denom !== FOREIGN_DENOM
    if (isHome) home -= amount
    actions.push(received(packet, (isHome ? unescrowed : vouchersMinted)(packet.receiver, amount), proof()))
  }
  return payTx(context, relayer.text, actions, GAS.packet * actions.length)
}

/** Coins that come home leave the escrow; what it does not hold cannot come. */
function bringPacket(context: BlockContext, home: bigint): Transfer {
  const { random, state } = context
  const amount = amountUpTo(random, 200)
  const denom = amount <= home && random() < 0.6 ? 'transfer/channel-3/utia' : FOREIGN_DENOM
  return {
    denom,
    amount: String(amount),
    sender: FOREIGN,
    receiver: oneUser(context),
    sequence: ++state.packets.received,
  }
}

/** The header is filled up to the size that a hundred signatures have. */
function updateClient({ random, height }: BlockContext, headerBytes: number): Action {
  const header = Buffer.concat([UNKNOWN_FIELD, varint(headerBytes), randomBytes(random, headerBytes)])
  return {
    message: aMessage(MsgUpdateClientSchema, {
      clientId: '07-tendermint-0',
      clientMessage: { $typeName: 'google.protobuf.Any', typeUrl: '/ibc.lightclients.tendermint.v1.Header', value: header },
      signer: relayer.text,
    }),
    events: [
      anEvent('update_client', {
        client_id: '07-tendermint-0',
        client_type: '07-tendermint',
        consensus_height: `1-${100 + height}`,
        consensus_heights: `1-${100 + height}`,
      }),
    ],
  }
}

/** Field 100, bytes: no reader knows it, all skip it. */
const UNKNOWN_FIELD = Buffer.from([0xa2, 0x06])
