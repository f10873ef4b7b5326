import { keccak256, type PublicClient, recoverTypedDataAddress } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { OperatorError } from '../../lib/errors.ts'
import { refuse } from '../problem.ts'
import type { EvmSettings, Hex } from '../settings.ts'
import { findReceipt } from './confirm.ts'
import { askNode, ChainAway, isRevert, NodeRefused, openClient } from './rpc.ts'
import { AUTHORIZATION_TYPES, type Authorization, encodeTransfer, hasTransfer, TOKEN_ABI } from './token.ts'

/** Fees and the settler's balance move slowly against the rate of payments. */
const FRESH_MS = 3000
/** A block may come between the estimate and the transaction. */
const GAS_MARGIN_PERCENT = 130n
/** How far back the use of an authorization is looked for: it is at most a challenge's life old. */
const LOOK_BACK_BLOCKS = 2000n
/** An authorization must outlive the block that takes it. */
const SECONDS_LEFT = 6

/**
 * Moves authorized tokens: verify without side effect, sign, send. It keeps nothing: what was signed and sent stands in the ledger,
 * so any replica can go on where another one stopped.
 */
export class EvmSettler {
  readonly client: PublicClient
  readonly settings: EvmSettings
  readonly address: Hex
  readonly #account: PrivateKeyAccount
  #fees: { at: number; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } | undefined
  #balance: { at: number; wei: bigint } | undefined

  constructor(settings: EvmSettings) {
    this.settings = settings
    this.client = openClient({ url: settings.rpcUrl })
    this.#account = privateKeyToAccount(settings.settlerKey)
    this.address = this.#account.address.toLowerCase() as Hex
  }

  /** Refuses to take money on a chain or token that is not what the settings say: signatures would be worthless. */
  async checkChain(): Promise<void> {
    const { chainId, token, tokenName, tokenVersion, decimals } = this.settings
    const read = (functionName: 'name' | 'version' | 'decimals') =>
      this.client.readContract({ address: token, abi: TOKEN_ABI, functionName })
    const found = await Promise.all([this.client.getChainId(), read('name'), read('version'), read('decimals')]).catch(
      (error) => {
        throw new OperatorError(
          'payment_chain',
          'the payment chain does not answer, or the token is no EIP-3009 token: check paid.evm.rpc_url and paid.evm.token',
          {},
          error,
        )
      },
    )
    const expected = [chainId, tokenName, tokenVersion, decimals]
    const names = ['chain_id', 'token_name', 'token_version', 'decimals']
    const wrong = names.flatMap((name, i) =>
      found[i] === expected[i] ? [] : [`${name} is ${found[i]}, the settings say ${expected[i]}`],
    )
    if (wrong.length > 0) throw new OperatorError('payment_chain', `the payment chain is another one: ${wrong.join('; ')}`)
  }

  countTransactions(): Promise<number> {
    return askNode(() => this.client.getTransactionCount({ address: this.address, blockTag: 'pending' }))
  }

  /** Without asking the chain, unless the payer may be a contract: those are left to the token. */
  async checkSignature(auth: Omit<Authorization, 'byContract'>): Promise<Authorization> {
    const { token, tokenName, tokenVersion, chainId } = this.settings
    const { signature, ...message } = auth
    const signer = await recoverTypedDataAddress({
      domain: { name: tokenName, version: tokenVersion, chainId, verifyingContract: token },
      types: AUTHORIZATION_TYPES,
      primaryType: 'TransferWithAuthorization',
      message,
      signature,
    }).catch(() => undefined) // Not a signature of a key at all: a contract's, or nonsense.
    if (signer?.toLowerCase() === auth.from.toLowerCase()) return { ...auth, byContract: false }
    const code = await askNode(() => this.client.getCode({ address: auth.from }))
    if (code === undefined || code === '0x') throw refuse('invalid_signature')
    return { ...auth, byContract: true }
  }

  /** The token itself says whether the transfer would go through now, and how much gas it takes. */
  async simulate(auth: Authorization): Promise<bigint> {
    const call = { from: this.address, to: this.settings.token, data: encodeTransfer(auth) }
    const gas = await askNode(() => this.client.request({ method: 'eth_estimateGas', params: [call] })).catch(async (error) => {
      if (isRevert(error)) throw await this.#explainRevert(auth)
      throw error instanceof NodeRefused ? new ChainAway('rpc', error) : error
    })
    const limit = (BigInt(gas) * GAS_MARGIN_PERCENT) / 100n
    await this.#checkFunds(limit)
    return limit
  }

  async #explainRevert(auth: Authorization): Promise<Error> {
    const [used, balance] = await Promise.all([this.isUsed(auth), this.#balanceOf(auth.from)])
    if (used) return refuse('nonce_already_used')
    if (balance < auth.value) return refuse('insufficient_balance')
    return refuse(auth.byContract ? 'invalid_signature' : 'transfer_rejected')
  }

  async #checkFunds(gas: bigint): Promise<void> {
    const now = Date.now()
    if (!this.#balance || now - this.#balance.at > FRESH_MS)
      this.#balance = { at: now, wei: await askNode(() => this.client.getBalance({ address: this.address })) }
    const { maxFeePerGas } = await this.#currentFees()
    if (this.#balance.wei < gas * maxFeePerGas) {
      // Ask again next time: somebody may be filling it up right now.
      this.#balance = undefined
      throw new ChainAway('gas')
    }
  }

  async #currentFees() {
    const now = Date.now()
    if (!this.#fees || now - this.#fees.at > FRESH_MS)
      this.#fees = { at: now, ...withHeadroom(await askNode(() => this.client.estimateFeesPerGas({ chain: null }))) }
    return this.#fees
  }

  /** A transaction ready to be sent. Its hash is known before anyone sees it. */
  async sign(auth: Authorization, gas: bigint, nonce: number): Promise<{ hash: Hex; raw: Hex }> {
    const { maxFeePerGas, maxPriorityFeePerGas } = await this.#currentFees()
    const raw = await this.#account.signTransaction({
      type: 'eip1559',
      chainId: this.settings.chainId,
      to: this.settings.token,
      data: encodeTransfer(auth),
      gas,
      nonce,
      maxFeePerGas,
      maxPriorityFeePerGas,
    })
    return { hash: keccak256(raw), raw }
  }

  isUsed({ from, nonce }: { from: Hex; nonce: Hex }): Promise<boolean> {
    const { token } = this.settings
    return askNode(() =>
      this.client.readContract({ address: token, abi: TOKEN_ABI, functionName: 'authorizationState', args: [from, nonce] }),
    )
  }

  #balanceOf(owner: Hex): Promise<bigint> {
    const { token } = this.settings
    return askNode(() => this.client.readContract({ address: token, abi: TOKEN_ABI, functionName: 'balanceOf', args: [owner] }))
  }

  /** The transaction by which anyone used the authorization, when it brought the money to `to`. */
  async findUse(auth: { from: Hex; nonce: Hex; to: Hex; value: bigint }): Promise<Hex | undefined> {
    const { token } = this.settings
    const head = await askNode(() => this.client.getBlockNumber({ cacheTime: 0 }))
    const logs = await askNode(() =>
      this.client.getContractEvents({
        address: token,
        abi: TOKEN_ABI,
        eventName: 'AuthorizationUsed',
        args: { authorizer: auth.from, nonce: auth.nonce },
        fromBlock: head > LOOK_BACK_BLOCKS ? head - LOOK_BACK_BLOCKS : 0n,
        toBlock: head,
      }),
    )
    const hash = logs[0]?.transactionHash
    const receipt = hash && (await findReceipt(this.client, hash))
    return receipt && hasTransfer(receipt.logs, { token, ...auth }) ? hash : undefined
  }
}

/** Only the block's own fee is paid; the rest keeps a transaction from being stuck, and all behind it, when fees rise. */
function withHeadroom({ maxFeePerGas, maxPriorityFeePerGas }: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }) {
  return { maxFeePerGas: maxFeePerGas * 2n, maxPriorityFeePerGas }
}

export function checkTimes({ validAfter, validBefore }: Pick<Authorization, 'validAfter' | 'validBefore'>, nowS: number): void {
  if (validAfter > BigInt(nowS)) throw refuse('not_yet_valid')
  if (validBefore < BigInt(nowS + SECONDS_LEFT)) throw refuse('expired')
}

export type Sent = 'sent' | 'refused' | 'nonce_used'

/** Sends what was signed, once or again. A node that is away leaves it open: the transaction stands in the ledger. */
export async function sendSigned(client: PublicClient, raw: Hex): Promise<Sent> {
  try {
    await askNode(() => client.request({ method: 'eth_sendRawTransaction', params: [raw] }))
    return 'sent'
  } catch (error) {
    if (!(error instanceof NodeRefused)) throw error
    if (/already known|already imported|known transaction/i.test(error.text)) return 'sent'
    if (/nonce too low|nonce is too low/i.test(error.text)) return 'nonce_used'
    return 'refused'
  }
}
