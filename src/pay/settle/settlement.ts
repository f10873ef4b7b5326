import { keccak256, type PublicClient } from 'viem'
import type { Clock } from '../../lib/clock.ts'
import { Invariant } from '../../lib/errors.ts'
import type { SqlPool } from '../../store/db.ts'
import { dropBroadcast, type PaymentRow, recordSigned } from '../../store/pay/ledger.ts'
import { announceSettler, releaseBroadcast } from '../../store/pay/nonces.ts'
import { type Loss, recordLoss } from '../../store/pay/payers.ts'
import { awaitOutcome, type Outcome, type Wait } from '../evm/confirm.ts'
import { countCalls } from '../evm/multicall.ts'
import { askNode, ChainAway, openClient } from '../evm/rpc.ts'
import { type EvmSettler, sendSigned } from '../evm/settler.ts'
import { type ExpectedTransfer, isForContract } from '../evm/token.ts'
import type { Found, TokenChain } from '../evm/token-chain.ts'
import type { PayMetrics } from '../metrics.ts'
import type { Facilitator } from '../rails/facilitator.ts'
import type { OnStep, Settled, VerifiedPayment } from '../rails/payment.ts'
import type { Hex, PaySettings } from '../settings.ts'
import { FacilitatedSettlement } from './facilitated.ts'
import { expectedOf, fromBytes, isKnown, nonceOf, toBytes, tokenOf } from './ledger-facts.ts'
import { Signing } from './signing.ts'
import { giveUp, moveOn, orPending } from './stuck.ts'

export type SettlementDeps = {
  db: SqlPool
  settings: PaySettings
  settler?: EvmSettler | undefined
  /** settles authorizations instead */
  facilitator?: Facilitator | undefined
  metrics: Pick<PayMetrics, 'lost'>
  clock: Clock
  /** nobody waits for a transaction any more */
  hurry?: AbortSignal
  onStep?: OnStep
}

/** A transfer on its way: whose, by which transaction, who works on it, and for how long it has been in the ledger. */
type Moved = {
  key: string
  holder: string
  hash: Hex
  chain: 'evm' | 'tempo'
  expected: ExpectedTransfer
  ageS: number
  /** payments in the same transaction */
  shares: bigint
}

type Reverted = Extract<Outcome, { kind: 'reverted' }>

const MAX_RESIGNS = 3

/**
 * Moves the money of a claimed payment. The signed transaction goes into the ledger before it is sent, so whatever happens after
 * that, the same transaction is sent again and no other one is needed.
 */
export class Settlement {
  readonly #deps: SettlementDeps
  readonly #tempo: PublicClient | undefined
  readonly #signing: Signing | undefined
  readonly #facilitated: FacilitatedSettlement | undefined

  constructor(deps: SettlementDeps) {
    this.#deps = deps
    const { db, settler, facilitator, clock, onStep } = deps
    const { tempo } = deps.settings
    this.#tempo = tempo && openClient({ url: tempo.rpcUrl })
    this.#signing = settler && new Signing(db, settler, clock)
    const chain = settler ?? facilitator
    this.#facilitated = chain && new FacilitatedSettlement({ db, chain, facilitator, onStep })
  }

  /** Learns the settler's next nonce, or whether the facilitator can be asked. */
  async start(): Promise<void> {
    const { db, settler, facilitator } = this.#deps
    await facilitator?.check()
    if (!settler) return
    await this.#signing?.check()
    await announceSettler(db, settler.settings.chainId, settler.address, await settler.countTransactions('pending'))
  }

  async charge(payment: VerifiedPayment, holder: string): Promise<Settled> {
    const { charge, key } = payment
    if (charge.kind === 'transaction') {
      const hash = keccak256(charge.raw)
      if (!(await recordSigned(this.#deps.db, key, holder, { hash, raw: toBytes(charge.raw) }))) return { kind: 'lost' }
      const moved = {
        key,
        holder,
        hash,
        chain: 'tempo',
        expected: expectedOf(payment, charge.token),
        ageS: 0,
        shares: 1n,
      } as const
      return this.#sendAndWait(moved, charge.raw)
    }
    if (this.#facilitated && this.#deps.facilitator) {
      const expected = expectedOf(payment, this.#chain().settings.token)
      return this.#facilitated.charge(charge, this.#askedFor({ key, holder, expected, ageS: 0 }))
    }
    for (let attempt = 1; ; attempt++) {
      const signed = await this.#signing?.sign({ payment, charge, holder })
      if (!signed) return { kind: 'lost' }
      await this.#deps.onStep?.('signed')
      const { hash, nonce, chainId, settler, shares } = signed
      const sent = await signed.send()
      if (sent === 'refused') {
        await releaseBroadcast(this.#deps.db, { key, holder, chainId, settler, nonce })
        return { kind: 'failed' }
      }
      // Somebody uses our key elsewhere and took the nonce: sign again. The authorization can still be used only once.
      if (sent === 'nonce_used' && attempt < MAX_RESIGNS && (await this.#isLost(hash))) {
        await this.start()
        continue
      }
      await this.#deps.onStep?.('sent')
      const expected = expectedOf(payment, this.#evm().settings.token)
      return this.#conclude({ key, holder, hash, chain: 'evm', expected, ageS: 0, shares })
    }
  }

  /** Goes on with a payment whose transaction stands in the ledger, after a crash or a wait that was too long. */
  async resume(row: PaymentRow, holder: string, timeoutMs?: number): Promise<Settled> {
    const moved = this.#movedBy(row, holder)
    // Sent on a chain that is configured no more: the one we ask knows nothing of it, and its silence proves nothing.
    if (row.chain_id !== this.#deps.settings[moved.chain]?.chainId) return { kind: 'pending', hash: moved.hash }
    if (this.#facilitated && row.facilitator_request !== null)
      return this.#facilitated.resume(row, this.#askedFor(moved, timeoutMs))
    if (!row.raw_tx || !row.tx_hash)
      throw new Invariant('no_transaction', 'a broadcast payment has no transaction', { key: row.key })
    const settled = await this.#sendAndWait(moved, fromBytes(row.raw_tx), timeoutMs)
    if (settled.kind !== 'pending') return settled
    if (moved.chain === 'tempo') return (await this.#isForgotten(row).catch(() => false)) ? giveUp(row) : settled
    const findUse = () => this.#findUse(moved)
    return moveOn({ db: this.#deps.db, settler: this.#evm(), findUse }, row, holder).catch(orPending(row))
  }

  #askedFor(moved: Pick<Moved, 'key' | 'holder' | 'expected' | 'ageS'>, timeoutMs?: number) {
    const { key, holder, expected } = moved
    return { key, holder, expected, wait: this.#waitFor(timeoutMs), findUse: () => this.#findUse(moved) }
  }

  #waitFor(timeoutMs?: number): Wait {
    const { settings, clock, hurry } = this.#deps
    const { pollMs, confirmations, confirmTimeoutMs } = settings
    return { timeoutMs: timeoutMs ?? confirmTimeoutMs, pollMs, confirmations, clock, signal: hurry }
  }

  /** The use of a claimed authorization by anyone, when it brought us the money. Undefined: unused, or paid to somebody else. */
  findForeignUse(row: PaymentRow): Promise<Found | undefined> {
    return this.#findUse(this.#movedBy(row, ''))
  }

  /** Whether the payer owns as much now. What it pays for with transactions of its own is not our risk. */
  async canCover({ charge, payer }: VerifiedPayment, amount: bigint): Promise<boolean> {
    return charge.kind === 'transaction' || (await this.#chain().balanceOf(payer as Hex)) >= amount
  }

  async #findUse({ key, expected, ageS }: Pick<Moved, 'key' | 'expected' | 'ageS'>): Promise<Found | undefined> {
    const { settler, facilitator, settings } = this.#deps
    const chain = settler ?? facilitator
    const nonce = nonceOf(key)
    if (!chain || !nonce) return undefined
    const use = { ...expected, nonce }
    return (await chain.isUsed(use)) ? chain.findUse(use, { ageS, confirmations: settings.confirmations }) : undefined
  }

  #movedBy(row: PaymentRow, holder: string): Moved {
    return {
      key: row.key,
      holder,
      hash: row.tx_hash as Hex,
      chain: row.method === 'tempo' ? 'tempo' : 'evm',
      expected: {
        token: tokenOf(row, this.#deps.settings),
        from: row.payer as Hex,
        to: row.recipient as Hex,
        value: BigInt(row.amount),
        nonce: nonceOf(row.key),
      },
      ageS: row.age_s,
      shares: row.raw_tx && row.method !== 'tempo' ? BigInt(countCalls(fromBytes(row.raw_tx))) : 1n,
    }
  }

  /** Native coins of the settler; undefined without one. */
  async gasLeft(): Promise<bigint | undefined> {
    const { settler } = this.#deps
    return settler && askNode(() => settler.client.getBalance({ address: settler.address }))
  }

  /** Known for sure not to be on its way; while nobody can say, it is waited for. */
  async #isLost(hash: Hex): Promise<boolean> {
    return !(await isKnown(this.#evm().client, hash).catch(() => true))
  }

  /** A payer's own transaction that the chain does not know, when by the chain's time it is too late for it. */
  async #isForgotten(row: PaymentRow): Promise<boolean> {
    const client = this.#client('tempo')
    const head = await askNode(() => client.getBlock())
    return Number(head.timestamp) > row.valid_before_s && !(await isKnown(client, row.tx_hash as Hex))
  }

  async #sendAndWait(moved: Moved, raw: Hex, timeoutMs?: number): Promise<Settled> {
    await sendSigned(this.#client(moved.chain), raw)
    return this.#conclude(moved, timeoutMs)
  }

  async #conclude(moved: Moved, timeoutMs?: number): Promise<Settled> {
    const { hash } = moved
    const outcome = await awaitOutcome(this.#client(moved.chain), hash, moved.expected, this.#waitFor(timeoutMs))
    // Only transactions of our own can be sent again.
    if (outcome.kind === 'settled')
      return { ...outcome, gasWei: outcome.gasWei / moved.shares, block: moved.chain === 'evm' ? outcome.block : undefined }
    if (outcome.kind === 'pending' || outcome.kind === 'unclear') return { kind: 'pending', hash }
    return this.#explainRevert(moved, outcome)
  }

  /** The authorization may have been sent by somebody who saw it on its way: the money has then arrived all the same. */
  async #explainRevert(moved: Moved, { gasWei: total, gasUsed }: Reverted): Promise<Settled> {
    const gasWei = total / moved.shares
    const { key, holder, hash } = moved
    try {
      const foreign = await this.#findUse(moved)
      if (foreign) return { kind: 'settled', ...foreign, gasWei }
      if (moved.chain === 'tempo') return { kind: 'refused', reason: 'transfer_reverted', hash, gasWei: 0n }
      const isOurs = await this.#ranOutOfGas(hash, gasUsed)
      await this.#noteLoss(moved, { reason: isOurs ? 'out_of_gas' : 'reverted', gasWei })
      if (!isOurs) return { kind: 'refused', reason: 'transfer_reverted', hash, gasWei }
    } catch (error) {
      // Not knowing whether the money came is no ground to ask for it again.
      if (error instanceof ChainAway) return { kind: 'pending', hash }
      throw error
    }
    await dropBroadcast(this.#deps.db, key, holder)
    return { kind: 'failed' }
  }

  async #noteLoss({ hash, expected }: Moved, { reason, gasWei }: Pick<Loss, 'reason' | 'gasWei'>): Promise<void> {
    const { settings, address } = this.#evm()
    const loss = { txHash: hash, chainId: settings.chainId, settler: address, payer: expected.from, reason, gasWei }
    if (await recordLoss(this.#deps.db, loss)) this.#deps.metrics.lost(reason, gasWei)
  }

  /**
   * We gave it too little: not the payer's fault. An inner call keeps a 64th of the gas from its callee. A payer that is a contract
   * uses as much as it likes, so there it is always its own.
   */
  async #ranOutOfGas(hash: Hex, gasUsed: bigint): Promise<boolean> {
    const { gas, input } = await askNode(() => this.#evm().client.getTransaction({ hash }))
    return !isForContract(input) && gasUsed * 100n >= gas * 97n
  }

  #client(chain: 'evm' | 'tempo'): PublicClient {
    const { settler, facilitator } = this.#deps
    const client = chain === 'tempo' ? this.#tempo : (settler ?? facilitator)?.client
    if (!client) throw new Invariant('no_chain', `payment chain ${chain} is not configured`)
    return client
  }

  #chain(): TokenChain {
    const { settler, facilitator } = this.#deps
    const chain = settler ?? facilitator
    if (!chain) throw new Invariant('no_chain', 'no evm chain is configured')
    return chain
  }

  #evm(): EvmSettler {
    const { settler } = this.#deps
    if (!settler) throw new Invariant('no_settler', 'no evm chain is configured')
    return settler
  }
}
