/** Balances follow coin events alone; these messages only say who took part. */
import {
  MsgMultiSendSchema,
  MsgSendSchema,
  MsgSetSendEnabledSchema,
  MsgUpdateParamsSchema,
  ParamsSchema,
} from '../../decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { formatCoins } from '../coins.ts'
import { handler, type Link, type MessageTable, signedBy } from './handler.ts'
import { updateModuleParams } from './update-params.ts'

export const bankMessages: MessageTable = {
  '/cosmos.bank.v1beta1.MsgSend': handler(MsgSendSchema, (msg) => ({
    signers: [msg.fromAddress],
    links: [
      ['fromAddress', msg.fromAddress],
      ['toAddress', msg.toAddress],
    ],
    charge: msg.amount,
    moves: { spent: [[msg.fromAddress, formatCoins(msg.amount)]], received: [[msg.toAddress, formatCoins(msg.amount)]] },
  })),
  '/cosmos.bank.v1beta1.MsgMultiSend': handler(MsgMultiSendSchema, (msg) => ({
    signers: msg.inputs.map((input) => input.address),
    links: [
      ...msg.inputs.map((input): Link => ['input', input.address]),
      ...msg.outputs.map((output): Link => ['output', output.address]),
    ],
    moves: {
      spent: msg.inputs.map(({ address, coins }) => [address, formatCoins(coins)]),
      received: msg.outputs.map(({ address, coins }) => [address, formatCoins(coins)]),
    },
  })),
  '/cosmos.bank.v1beta1.MsgSetSendEnabled': signedBy(MsgSetSendEnabledSchema, 'authority', (msg) => msg.authority),
  '/cosmos.bank.v1beta1.MsgUpdateParams': updateModuleParams('bank', MsgUpdateParamsSchema, ParamsSchema),
}
