import { keccak256, type PublicClient, parseTransaction, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { refuse } from '../problem.ts'
import type { EvmSettings, Hex } from '../settings.ts'
import { type Fees, GasBudget } from './gas.ts'
import { encodeCalls, MULTICALL3 } from './multicall.ts'
import { askNode, ChainAway, isOutOfGas, isRevert, NodeRefused } from './rpc.ts'
import { type Authorization, encodeTransfer } from './token.ts'
import { TokenChain } from './token-chain.ts'

/** A block may come between the estimate and the transaction. */
const GAS_MARGIN_PERCENT = 130n
/** An authorization must outlive the block that takes it. */
const SECONDS_LEFT = 6

/** An empty transfer takes 21,000; where the size of a transaction counts as gas, some more. What is not used is not paid. */
const EMPTY_GAS = 100_000n

export type Signed = { hash: Hex; raw: Hex }

/**
 * Moves authorized tokens: verify without side effect, sign, send. It keeps nothing: what was signed and sent stands in the ledger,
 * so any replica can go on where another one stopped.
 */
export class EvmSettler extends TokenChain {
  readonly address: Hex
  readonly gas: GasBudget
  readonly #account: PrivateKeyAccount

  constructor(settings: EvmSettings) {
    super(settings)
    this.#account = privateKeyToAccount(settings.settlerKey)
    this.address = this.#account.address.toLowerCase() as Hex
    this.gas = new GasBudget(this.client, this.address, settings)
  }

  /** How many nonces are used: by mined transactions, or also by those the node holds. */
  countTransactions(blockTag: 'latest' | 'pending'): Promise<number> {
    return askNode(() => this.client.getTransactionCount({ address: this.address, blockTag }))
  }

  /**
   * The token itself says whether the transfer would go through now, and how much gas it takes. With the fees of the transaction, because
   * a payer's contract can tell a call without fees from the real one.
   */
  async simulate(auth: Authorization): Promise<bigint> {
    const most = BigInt(this.settings.maxGas)
    // First: a node that finds too little for the fees says the same as of a transfer that takes too much gas.
    await this.gas.checkFunds(most)
    const { maxFeePerGas, maxPriorityFeePerGas } = await this.gas.currentFees()
    const call = {
      from: this.address,
      to: this.settings.token,
      data: encodeTransfer(auth),
      gas: toHex(most),
      maxFeePerGas: toHex(maxFeePerGas),
      maxPriorityFeePerGas: toHex(maxPriorityFeePerGas),
    }
    const gas = await askNode(() => this.client.request({ method: 'eth_estimateGas', params: [call] })).catch(async (error) => {
      if (isRevert(error)) throw await this.explainRevert(auth)
      if (isOutOfGas(error)) throw refuse('too_much_gas')
      throw error instanceof NodeRefused ? new ChainAway('rpc', error) : error
    })
    const limit = (BigInt(gas) * GAS_MARGIN_PERCENT) / 100n
    if (limit > most) throw refuse('too_much_gas')
    // Also before the look-up: nobody works for a payment that would not be sent.
    await this.gas.feesFor(limit, auth.value)
    return limit
  }

  /** A transaction ready to be sent. Its hash is known before anyone sees it. */
  sign(auth: Authorization, gas: bigint, nonce: number, fees: Fees): Promise<Signed> {
    return this.#signCall({ to: this.settings.token, data: encodeTransfer(auth), gas, nonce }, fees)
  }

  /** One transaction for several transfers, each of which may fail by itself. */
  signBatch(auths: readonly Authorization[], gas: bigint, nonce: number, fees: Fees): Promise<Signed> {
    const data = encodeCalls(this.settings.token, auths.map(encodeTransfer))
    return this.#signCall({ to: MULTICALL3, data, gas, nonce }, fees)
  }

  /** Replacement of a transaction at higher fees; undefined when its fees still suffice. */
  async outbid(raw: Hex, amount: bigint): Promise<Signed | undefined> {
    const { to, data, gas, nonce, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw)
    const now = await this.gas.currentFees()
    if (now.maxFeePerGas <= maxFeePerGas && now.maxPriorityFeePerGas <= maxPriorityFeePerGas) return undefined
    const raised = {
      maxFeePerGas: max(now.maxFeePerGas, raise(maxFeePerGas)),
      maxPriorityFeePerGas: max(now.maxPriorityFeePerGas, raise(maxPriorityFeePerGas)),
    }
    // Dearer than the payment may be: it waits for a cheaper block.
    const fees = await this.gas.raiseWithin(raised, gas!, amount)
    return fees && this.#signCall({ to: to!, data: data!, gas: gas!, nonce: nonce! }, fees)
  }

  /** Uses up a nonce and does nothing else. */
  async signNothing(nonce: number): Promise<Hex> {
    const { raw } = await this.#signCall({ to: this.address, data: '0x', gas: EMPTY_GAS, nonce }, await this.gas.currentFees())
    return raw
  }

  async #signCall(call: { to: Hex; data: Hex; gas: bigint; nonce: number }, fees: Fees): Promise<Signed> {
    const { maxFeePerGas, maxPriorityFeePerGas } = fees
    const { chainId } = this.settings
    const raw = await this.#account.signTransaction({ type: 'eip1559', chainId, ...call, maxFeePerGas, maxPriorityFeePerGas })
    return { hash: keccak256(raw), raw }
  }
}

/** Nodes take another transaction for the same nonce when it offers a tenth more. */
const raise = (fee: bigint): bigint => (fee * 9n) / 8n + 1n
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

export function checkTimes({ validAfter, validBefore }: Pick<Authorization, 'validAfter' | 'validBefore'>, nowS: number): void {
  if (validAfter > BigInt(nowS)) throw refuse('not_yet_valid')
  if (validBefore < BigInt(nowS + SECONDS_LEFT)) throw refuse('expired')
}

export type Sent = 'sent' | 'refused' | 'nonce_used'

/** How nodes of all makes say for sure that they did not take a transaction. */
const REFUSALS =
  /insufficient funds|underpriced|intrinsic gas|gas limit|gas too high|base fee|fee cap|priority fee|nonce too high|nonce gap|chain ?id|invalid sender|pool is full|not supported|rlp/i

/**
 * Sends what was signed, once or again. A node that is away, or says something else, leaves it open whether it has passed the
 * transaction on: it stands in the ledger and is looked for.
 */
export async function sendSigned(client: PublicClient, raw: Hex): Promise<Sent> {
  try {
    await askNode(() => client.request({ method: 'eth_sendRawTransaction', params: [raw] }))
    return 'sent'
  } catch (error) {
    if (error instanceof ChainAway) return 'sent'
    if (!(error instanceof NodeRefused)) throw error
    if (/nonce too low|nonce is too low/i.test(error.text)) return 'nonce_used'
    return REFUSALS.test(error.text) ? 'refused' : 'sent'
  }
}
