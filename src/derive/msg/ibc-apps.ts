/** Applications on top of channels: token transfers, interchain accounts, relayer fees. */
import {
  MsgPayPacketFeeAsyncSchema,
  MsgPayPacketFeeSchema,
  MsgRegisterCounterpartyPayeeSchema,
  MsgRegisterPayeeSchema,
} from '../../decode/gen/ibc/applications/fee/v1/types_pb.ts'
import {
  ParamsSchema as ControllerParamsSchema,
  MsgRegisterInterchainAccountSchema,
  MsgSendTxSchema,
  MsgUpdateParamsSchema as MsgUpdateControllerParamsSchema,
} from '../../decode/gen/ibc/applications/interchain_accounts/controller/v1/types_pb.ts'
import {
  ParamsSchema as HostParamsSchema,
  MsgModuleQuerySafeSchema,
  MsgUpdateParamsSchema as MsgUpdateHostParamsSchema,
} from '../../decode/gen/ibc/applications/interchain_accounts/host/v1/types_pb.ts'
import {
  MsgTransferSchema,
  MsgUpdateParamsSchema as MsgUpdateTransferParamsSchema,
  ParamsSchema as TransferParamsSchema,
} from '../../decode/gen/ibc/applications/transfer/v1/types_pb.ts'
import { handler, type MessageTable, signedBy } from './handler.ts'
import { updateIbcParams } from './update-params.ts'

export const ibcAppMessages: MessageTable = {
  // No row yet: the transfer counts when its acknowledgement arrives.
  '/ibc.applications.transfer.v1.MsgTransfer': signedBy(MsgTransferSchema, 'sender', (msg) => msg.sender),
  '/ibc.applications.transfer.v1.MsgUpdateParams': updateIbcParams(
    'transfer',
    MsgUpdateTransferParamsSchema,
    TransferParamsSchema,
  ),
  '/ibc.applications.interchain_accounts.controller.v1.MsgRegisterInterchainAccount': signedBy(
    MsgRegisterInterchainAccountSchema,
    'owner',
    (msg) => msg.owner,
  ),
  '/ibc.applications.interchain_accounts.controller.v1.MsgSendTx': signedBy(MsgSendTxSchema, 'owner', (msg) => msg.owner),
  '/ibc.applications.interchain_accounts.controller.v1.MsgUpdateParams': updateIbcParams(
    'icacontroller',
    MsgUpdateControllerParamsSchema,
    ControllerParamsSchema,
  ),
  '/ibc.applications.interchain_accounts.host.v1.MsgModuleQuerySafe': signedBy(
    MsgModuleQuerySafeSchema,
    'signer',
    (msg) => msg.signer,
  ),
  '/ibc.applications.interchain_accounts.host.v1.MsgUpdateParams': updateIbcParams(
    'icahost',
    MsgUpdateHostParamsSchema,
    HostParamsSchema,
  ),
  '/ibc.applications.fee.v1.MsgRegisterPayee': handler(MsgRegisterPayeeSchema, (msg) => ({
    signers: [msg.relayer],
    links: [
      ['relayer', msg.relayer],
      ['payee', msg.payee],
    ],
  })),
  '/ibc.applications.fee.v1.MsgRegisterCounterpartyPayee': handler(MsgRegisterCounterpartyPayeeSchema, (msg) => ({
    signers: [msg.relayer],
    links: [
      ['relayer', msg.relayer],
      ['payee', msg.counterpartyPayee],
    ],
  })),
  '/ibc.applications.fee.v1.MsgPayPacketFee': signedBy(MsgPayPacketFeeSchema, 'signer', (msg) => msg.signer),
  '/ibc.applications.fee.v1.MsgPayPacketFeeAsync': handler(MsgPayPacketFeeAsyncSchema, (msg) => ({
    signers: [msg.packetFee?.refundAddress ?? ''],
    links: [],
  })),
}
