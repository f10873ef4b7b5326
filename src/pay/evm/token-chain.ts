import type { PublicClient } from 'viem'
import { refuse } from '../problem.ts'
import type { EvmSettings, Hex } from '../settings.ts'
import { findReceipt } from './confirm.ts'
import { askNode, ChainAway, openClient } from './rpc.ts'
import { type Authorization, hasTransfer, TOKEN_ABI } from './token.ts'

/** Nodes answer questions about logs for so many blocks at a time. */
const STEP_BLOCKS = 2000n
/** How far our clock and the chain's may be apart. */
const CLOCK_MARGIN_S = 600

export type Use = { from: Hex; nonce: Hex; to: Hex; value: bigint }
export type Found = { hash: Hex; block: bigint }

/** State of the token's authorizations on the payment chain, whoever sends them. */
export class TokenChain {
  readonly client: PublicClient
  readonly settings: EvmSettings

  constructor(settings: EvmSettings) {
    this.settings = settings
    this.client = openClient({ url: settings.rpcUrl, more: settings.moreRpcUrls })
  }

  /** The payer's own key has not signed: then it must be a contract, which is left to the token. */
  async checkContract(from: Hex): Promise<void> {
    const code = await askNode(() => this.client.getCode({ address: from }))
    if (code === undefined || code === '0x') throw refuse('invalid_signature')
  }

  /** Why the token refuses a transfer. */
  protected async explainRevert(auth: Authorization): Promise<Error> {
    const [used, balance] = await Promise.all([this.isUsed(auth), this.balanceOf(auth.from)])
    if (used) return refuse('nonce_already_used')
    if (balance < auth.value) return refuse('insufficient_balance')
    return refuse(auth.byContract ? 'invalid_signature' : 'transfer_rejected')
  }

  isUsed({ from, nonce }: { from: Hex; nonce: Hex }, blockNumber?: bigint): Promise<boolean> {
    const call = {
      address: this.settings.token,
      abi: TOKEN_ABI,
      functionName: 'authorizationState',
      args: [from, nonce],
    } as const
    return askNode(() => this.client.readContract({ ...call, ...(blockNumber !== undefined && { blockNumber }) }))
  }

  balanceOf(owner: Hex): Promise<bigint> {
    const { token } = this.settings
    return askNode(() => this.client.readContract({ address: token, abi: TOKEN_ABI, functionName: 'balanceOf', args: [owner] }))
  }

  /**
   * The transaction by which anyone used the authorization, when it brought the money to `to`. Looked for from the head back to when
   * the payment came in; one that is not deep enough yet is no answer.
   */
  async findUse(use: Use, { ageS, confirmations }: { ageS: number; confirmations: number }): Promise<Found | undefined> {
    const { token } = this.settings
    const head = await askNode(() => this.client.getBlock())
    const since = Number(head.timestamp) - ageS - CLOCK_MARGIN_S
    for (let toBlock = head.number; ; toBlock -= STEP_BLOCKS) {
      const fromBlock = toBlock > STEP_BLOCKS ? toBlock - STEP_BLOCKS + 1n : 0n
      const logs = await askNode(() =>
        this.client.getContractEvents({
          address: token,
          abi: TOKEN_ABI,
          eventName: 'AuthorizationUsed',
          args: { authorizer: use.from, nonce: use.nonce },
          fromBlock,
          toBlock,
        }),
      )
      const hash = logs[0]?.transactionHash
      const receipt = hash && (await findReceipt(this.client, hash))
      if (hash && !(receipt && head.number - receipt.blockNumber + 1n >= confirmations)) throw new ChainAway('busy')
      if (hash && receipt) return hasTransfer(receipt.logs, { token, ...use }) ? { hash, block: receipt.blockNumber } : undefined
      if (fromBlock === 0n) return undefined
      const oldest = await askNode(() => this.client.getBlock({ blockNumber: fromBlock }))
      if (Number(oldest.timestamp) < since) return undefined
    }
  }

  /** By the chain's own time, at one and the same block: past its end and unused, the token takes it no more. */
  async isOver(auth: { from: Hex; nonce: Hex }, validBeforeS: number): Promise<boolean> {
    const head = await askNode(() => this.client.getBlock())
    return Number(head.timestamp) > validBeforeS && !(await this.isUsed(auth, head.number))
  }
}
