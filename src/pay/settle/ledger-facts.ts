import { type PublicClient, TransactionNotFoundError } from 'viem'
import type { PaymentRow } from '../../store/pay/ledger.ts'
import { findOnNode } from '../evm/rpc.ts'
import type { ExpectedTransfer } from '../evm/token.ts'
import type { VerifiedPayment } from '../rails/payment.ts'
import type { Hex, PaySettings } from '../settings.ts'

/** Facts of a transfer on the chain, from a payment and from its row in the ledger. */

/** Whether the chain has the transaction, mined or not. Throws when nobody can say: that is not the same as no. */
export async function isKnown(client: PublicClient, hash: Hex): Promise<boolean> {
  return (await findOnNode(() => client.getTransaction({ hash }), TransactionNotFoundError)) !== undefined
}

export const toBytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')
export const fromBytes = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`

export function expectedOf(payment: VerifiedPayment, token: Hex): ExpectedTransfer {
  return { token, from: payment.payer as Hex, to: payment.recipient as Hex, value: payment.amount, nonce: nonceOf(payment.key) }
}

/** Keys of authorizations are chain:token:payer:nonce. */
export function nonceOf(key: string): Hex | undefined {
  const parts = key.split(':')
  return parts.length === 4 ? (parts[3] as Hex) : undefined
}

export function tokenOf(row: PaymentRow, { tempo }: PaySettings): Hex {
  const parts = row.key.split(':')
  return parts.length === 4 ? (parts[1] as Hex) : (tempo?.token ?? '0x')
}
