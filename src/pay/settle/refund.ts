import { encodeFunctionData, keccak256, type PublicClient, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { SqlPool } from '../../store/db.ts'
import { findRefund, type Refundable, recordRefund, settleRefund } from '../../store/pay/refunds.ts'
import { awaitOutcome } from '../evm/confirm.ts'
import { askNode, openClient } from '../evm/rpc.ts'
import { sendSigned } from '../evm/settler.ts'
import type { EvmSettings, Hex } from '../settings.ts'
import { fromBytes } from './ledger-facts.ts'

const ABI = parseAbi(['function transfer(address to, uint256 value) returns (bool)'])

export type RefundDeps = {
  db: SqlPool
  evm: Pick<EvmSettings, 'chainId' | 'rpcUrl' | 'moreRpcUrls' | 'token'>
  /** of a wallet that owns tokens, and native coins for gas; the settler owns none and the recipient's key is not here */
  walletKey: Hex
  clock?: Clock
  pollMs?: number
  timeoutMs?: number
}

export type Refunded = { key: string; payer: string; amount: number; hash: Hex; isSettled: boolean }

/** Sends the price back to its payer. Started again after a crash it sends the same transaction: nobody gets it twice. */
export async function refund(deps: RefundDeps, payment: Refundable): Promise<Refunded> {
  const { db, evm } = deps
  if (payment.method !== 'evm' || payment.chain_id !== evm.chainId)
    throw new OperatorError('not_refundable', `${payment.key} was not paid on chain ${evm.chainId}: send it back by hand`)
  const client = openClient({ url: evm.rpcUrl, more: evm.moreRpcUrls })
  const known = await findRefund(db, payment.key)
  const { hash, raw } = known ? { hash: known.tx_hash as Hex, raw: fromBytes(known.raw_tx) } : await record(deps, client, payment)
  if (!known?.is_settled) await sendSigned(client, raw)
  const isSettled = known?.is_settled || (await isMined(deps, client, payment, hash))
  if (isSettled) await settleRefund(db, payment.key)
  return { key: payment.key, payer: payment.payer, amount: payment.amount, hash, isSettled }
}

async function record({ db, evm, walletKey }: RefundDeps, client: PublicClient, payment: Refundable) {
  const account = privateKeyToAccount(walletKey)
  const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [payment.payer as Hex, BigInt(payment.amount)] })
  const call = { from: account.address, to: evm.token, data }
  const [gas, nonce, fees] = await Promise.all([
    askNode(() => client.request({ method: 'eth_estimateGas', params: [call] })),
    askNode(() => client.getTransactionCount({ address: account.address, blockTag: 'pending' })),
    askNode(() => client.estimateFeesPerGas({ chain: null })),
  ]).catch((error) => {
    throw new OperatorError('no_refund', 'the wallet cannot send the money: does it own tokens, and coins for gas?', {}, error)
  })
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: evm.chainId,
    to: evm.token,
    data,
    nonce,
    gas: (BigInt(gas) * 130n) / 100n,
    maxFeePerGas: fees.maxFeePerGas * 2n,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  })
  const hash = keccak256(raw)
  const signed = { hash, raw: Buffer.from(raw.slice(2), 'hex') }
  if (!(await recordRefund(db, payment, account.address.toLowerCase(), signed)))
    throw new OperatorError('not_refundable', `${payment.key} is ${payment.state}, or being worked on: nothing to give back now`)
  return { hash, raw }
}

async function isMined(deps: RefundDeps, client: PublicClient, payment: Refundable, hash: Hex): Promise<boolean> {
  const { evm, walletKey, clock = systemClock, pollMs = 500, timeoutMs = 60_000 } = deps
  const from = privateKeyToAccount(walletKey).address
  const expected = { token: evm.token, from, to: payment.payer as Hex, value: BigInt(payment.amount) }
  const wait = { timeoutMs, pollMs, confirmations: 1, clock, signal: undefined }
  const outcome = await awaitOutcome(client, hash, expected, wait)
  if (outcome.kind === 'reverted')
    throw new OperatorError(
      'refund_reverted',
      `the refund of ${payment.key} was mined and moved nothing (${hash}): send it back by hand`,
    )
  return outcome.kind === 'settled'
}
