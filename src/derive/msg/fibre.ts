/**
 * App 10. The payer of a promise is the owner of the key in it, not the signer of the tx. Its price moves by coin events between
 * module accounts; the API's enum has no names for these messages yet.
 */
import {
  MsgDepositToEscrowSchema,
  MsgPayForFibreSchema,
  MsgPaymentPromiseTimeoutSchema,
  MsgRequestWithdrawalSchema,
  MsgUpdateFibreParamsSchema,
  ParamsSchema,
  type PaymentPromise,
} from '../../decode/gen/celestia/fibre/v1/types_pb.ts'
import { encodeAddress, secp256k1Account } from '../../lib/encoding/bech32.ts'
import { handler, type Link, type MessageTable, signedBy } from './handler.ts'
import { updateModuleParams } from './update-params.ts'

export const fibreMessages: MessageTable = {
  '/celestia.fibre.v1.MsgDepositToEscrow': signedBy(MsgDepositToEscrowSchema, 'signer', (msg) => msg.signer),
  '/celestia.fibre.v1.MsgRequestWithdrawal': signedBy(MsgRequestWithdrawalSchema, 'signer', (msg) => msg.signer),
  '/celestia.fibre.v1.MsgPayForFibre': handler(MsgPayForFibreSchema, (msg) => ({
    signers: [msg.signer],
    links: promiseLinks(msg.signer, msg.paymentPromise),
  })),
  '/celestia.fibre.v1.MsgPaymentPromiseTimeout': handler(MsgPaymentPromiseTimeoutSchema, (msg) => ({
    signers: [msg.signer],
    links: promiseLinks(msg.signer, msg.paymentPromise),
  })),
  '/celestia.fibre.v1.MsgUpdateFibreParams': updateModuleParams('fibre', MsgUpdateFibreParamsSchema, ParamsSchema),
}

function promiseLinks(signer: string, promise: PaymentPromise | undefined): Link[] {
  const links: Link[] = [['signer', signer]]
  const key = promise?.signerPublicKey?.key
  if (key?.length === 33) links.push(['sender', encodeAddress('celestia', secp256k1Account(key))])
  return links
}
