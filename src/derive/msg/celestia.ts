/** Modules of the Celestia app beside blob and fibre: signal, minfee, forwarding, zkism, valaddr, and qgb of the first app version. */
import { type MsgForward, MsgForwardSchema } from '../../decode/gen/celestia/forwarding/v1/types_pb.ts'
import { ParamsSchema as MinfeeParamsSchema, MsgUpdateMinfeeParamsSchema } from '../../decode/gen/celestia/minfee/v1/types_pb.ts'
import { MsgRegisterEVMAddressSchema } from '../../decode/gen/celestia/qgb/v1/types_pb.ts'
import { MsgSignalVersionSchema, MsgTryUpgradeSchema } from '../../decode/gen/celestia/signal/v1/types_pb.ts'
import { MsgSetFibreProviderInfoSchema } from '../../decode/gen/celestia/valaddr/v1/types_pb.ts'
import {
  MsgCreateInterchainSecurityModuleSchema,
  MsgSubmitMessagesSchema,
  MsgUpdateInterchainSecurityModuleSchema,
} from '../../decode/gen/celestia/zkism/v1/types_pb.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import type { Effect } from '../../types/effects.ts'
import { handler, type MessagePart, type MessageTable, signedBy } from './handler.ts'
import { updateModuleParams } from './update-params.ts'

export const celestiaMessages: MessageTable = {
  '/celestia.signal.v1.MsgSignalVersion': handler(MsgSignalVersionSchema, (msg) => ({
    signers: [msg.validatorAddress],
    links: [['validator', msg.validatorAddress]],
    validators: [msg.validatorAddress],
    effects: (): Effect[] => {
      const operator = decodeAccount(msg.validatorAddress)
      return operator === undefined ? [] : [{ kind: 'signal', operator, version: Number(msg.version) }]
    },
  })),
  '/celestia.signal.v1.MsgTryUpgrade': handler(MsgTryUpgradeSchema, (msg) => ({
    signers: [msg.signer],
    links: [['signer', msg.signer]],
    effects: (): Effect[] => {
      const signer = decodeAccount(msg.signer)
      return signer === undefined ? [] : [{ kind: 'try-upgrade', signer }]
    },
  })),
  '/celestia.minfee.v1.MsgUpdateMinfeeParams': updateModuleParams('minfee', MsgUpdateMinfeeParamsSchema, MinfeeParamsSchema),
  '/celestia.forwarding.v1.MsgForward': handler(MsgForwardSchema, (msg) => ({
    signers: [msg.signer],
    links: [
      ['signer', msg.signer],
      ['receiver', msg.forwardAddr],
    ],
    forwardTo: { domain: msg.destDomain, recipient: recipientOf(msg) },
    // The rows of what was forwarded follow from events.
    effects: (): Effect[] => {
      const address = decodeAccount(msg.forwardAddr)
      return address === undefined ? [] : [{ kind: 'forwarding-address', address }]
    },
  })),
  '/celestia.zkism.v1.MsgCreateInterchainSecurityModule': signedBy(
    MsgCreateInterchainSecurityModuleSchema,
    'sender',
    (msg) => msg.creator,
  ),
  '/celestia.zkism.v1.MsgUpdateInterchainSecurityModule': handler(MsgUpdateInterchainSecurityModuleSchema, prove),
  '/celestia.zkism.v1.MsgSubmitMessages': handler(MsgSubmitMessagesSchema, prove),
  '/celestia.valaddr.v1.MsgSetFibreProviderInfo': handler(MsgSetFibreProviderInfoSchema, (msg) => ({
    signers: [msg.signer],
    links: [['validator', msg.signer]],
    validators: [msg.signer],
  })),
  '/celestia.qgb.v1.MsgRegisterEVMAddress': handler(MsgRegisterEVMAddressSchema, (msg) => ({
    signers: [msg.validatorAddress],
    links: [['validator', msg.validatorAddress]],
    validators: [msg.validatorAddress],
  })),
}

function prove({ signer, id }: { signer: string; id: string }): MessagePart {
  return { signers: [signer], links: [['signer', signer]], ism: id }
}

/** 32 bytes as 64 hex digits. */
function recipientOf({ destRecipient }: MsgForward): string {
  return destRecipient.replace(/^0x/, '').toLowerCase().padStart(64, '0')
}
