/** Balances follow coin events alone; these messages only say who took part. */
import {
  MsgMultiSendSchema,
  MsgSendSchema,
  MsgSetSendEnabledSchema,
  MsgUpdateParamsSchema,
  ParamsSchema,
} from '../../decode/gen/cosmos/bank/v1beta1/types_pb.ts'
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
  })),
  '/cosmos.bank.v1beta1.MsgMultiSend': handler(MsgMultiSendSchema, (msg) => ({
    signers: msg.inputs.map((input) => input.address),
    links: [
      ...msg.inputs.map((input): Link => ['input', input.address]),
      ...msg.outputs.map((output): Link => ['output', output.address]),
    ],
  })),
  '/cosmos.bank.v1beta1.MsgSetSendEnabled': signedBy(MsgSetSendEnabledSchema, 'authority', (msg) => msg.authority),
  '/cosmos.bank.v1beta1.MsgUpdateParams': updateModuleParams('bank', MsgUpdateParamsSchema, ParamsSchema),
}
