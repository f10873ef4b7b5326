import { keccak256, type PublicClient } from 'viem'
import type { Clock } from '../lib/clock.ts'
import { Invariant, OperatorError } from '../lib/errors.ts'
import type { LedgerDb } from '../store/pay/db.ts'
import { dropBroadcast, type PaymentRow, recordSigned } from '../store/pay/ledger.ts'
import { announceSettler, recordBroadcast, releaseBroadcast } from '../store/pay/nonces.ts'
import { type Loss, recordLoss } from '../store/pay/payers.ts'
import { awaitOutcome, type Outcome } from './evm/confirm.ts'
import { BATCH_GAS, countCalls, MULTICALL3 } from './evm/multicall.ts'
import { askNode, ChainAway, openClient } from './evm/rpc.ts'
import { type EvmSettler, type Found, type Sent, sendSigned } from './evm/settler.ts'
import { type ExpectedTransfer, isForContract } from './evm/token.ts'
import { expectedOf, fromBytes, isKnown, nonceOf, toBytes, tokenOf } from './ledger-facts.ts'
import type { PayMetrics } from './metrics.ts'
import type { Charge, Settled, VerifiedPayment } from './payment.ts'
import type { Hex, PaySettings } from './settings.ts'
import { giveUp, moveOn, orPending } from './stuck.ts'
import { Window } from './window.ts'

export type SettlementDeps = {
  db: LedgerDb
  settings: PaySettings
  settler: EvmSettler | undefined
  metrics: Pick<PayMetrics, 'lost'>
  clock: Clock
  /** nobody waits for a transaction any more */
  hurry?: AbortSignal
  onStep?: OnStep
}

/** The moments between which a payment can be interrupted; tests stop the process there. */
export type Step = 'claimed' | 'signed' | 'sent' | 'settled'
export type OnStep = (step: Step) => Promise<void> | void

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

type Authorized = { payment: VerifiedPayment; charge: Extract<Charge, { kind: 'authorization' }>; holder: string }

/** A transaction that one or more payments wait for; sent once. */
type SignedTogether = { hash: Hex; nonce: number; chainId: number; settler: Hex; shares: bigint; send: () => Promise<Sent> }

type Reverted = Extract<Outcome, { kind: 'reverted' }>

const MAX_RESIGNS = 3

/**
 * Moves the money of a claimed payment. The signed transaction goes into the ledger before it is sent, so whatever happens after
 * that, the same transaction is sent again and no other one is needed.
 */
export class Settlement {
  readonly #deps: SettlementDeps
  readonly #tempo: PublicClient | undefined
  readonly #window: Window<Authorized, SignedTogether | undefined> | undefined

  constructor(deps: SettlementDeps) {
    this.#deps = deps
    const { tempo } = deps.settings
    const { batchMs = 0, batchSize = 10 } = deps.settings.evm ?? {}
    const limits = { ms: batchMs, size: batchSize, clock: deps.clock }
    this.#window = batchMs > 0 ? new Window((items) => this.#signAll(items), limits) : undefined
    this.#tempo = tempo && openClient({ url: tempo.rpcUrl })
  }

  /** Learns the settler's next nonce. */
  async start(): Promise<void> {
    const { db, settler } = this.#deps
    if (!settler) return
    if (this.#window && ((await askNode(() => settler.client.getCode({ address: MULTICALL3 }))) ?? '0x') === '0x')
      throw new OperatorError('no_multicall', `the payment chain has no Multicall3 at ${MULTICALL3}: set paid.evm.batch_ms to 0`)
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
    for (let attempt = 1; ; attempt++) {
      const item = { payment, charge, holder }
      // A contract uses as much gas as it likes, so it stays alone.
      const signed = await (this.#window && !charge.auth.byContract ? this.#window.add(item) : this.#sign([item]))
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
    if (!row.raw_tx || !row.tx_hash)
      throw new Invariant('no_transaction', 'a broadcast payment has no transaction', { key: row.key })
    const moved = this.#movedBy(row, holder)
    // Sent on a chain that is configured no more: the one we ask knows nothing of it, and its silence proves nothing.
    if (row.chain_id !== this.#deps.settings[moved.chain]?.chainId) return { kind: 'pending', hash: moved.hash }
    const settled = await this.#sendAndWait(moved, fromBytes(row.raw_tx), timeoutMs)
    if (settled.kind !== 'pending') return settled
    if (moved.chain === 'tempo') return (await this.#isForgotten(row).catch(() => false)) ? giveUp(row) : settled
    const findUse = () => this.#findUse(moved)
    return moveOn({ db: this.#deps.db, settler: this.#evm(), findUse }, row, holder).catch(orPending(row))
  }

  /** The use of a claimed authorization by anyone, when it brought us the money. Undefined: unused, or paid to somebody else. */
  findForeignUse(row: PaymentRow): Promise<Found | undefined> {
    return this.#findUse(this.#movedBy(row, ''))
  }

  /** Whether the payer owns as much now. What it pays for with transactions of its own is not our risk. */
  async canCover({ charge, payer }: VerifiedPayment, amount: bigint): Promise<boolean> {
    return charge.kind === 'transaction' || (await this.#evm().balanceOf(payer as Hex)) >= amount
  }

  async #findUse({ key, expected, ageS }: Moved): Promise<Found | undefined> {
    const { settler, settings } = this.#deps
    const nonce = nonceOf(key)
    if (!settler || !nonce) return undefined
    const use = { ...expected, nonce }
    return (await settler.isUsed(use)) ? settler.findUse(use, { ageS, confirmations: settings.confirmations }) : undefined
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

  /** What the settler owns in native coins; undefined without one. */
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

  /** Together; when somebody else has taken one of them over, each by itself. */
  async #signAll(items: readonly Authorized[]): Promise<(SignedTogether | undefined)[]> {
    const signed = items.length > 1 ? await this.#sign(items) : undefined
    return signed ? items.map(() => signed) : Promise.all(items.map((item) => this.#sign([item])))
  }

  /** One transaction for these payments, kept in the ledger; undefined when a claim was lost. */
  async #sign(items: readonly Authorized[]): Promise<SignedTogether | undefined> {
    const settler = this.#evm()
    const { chainId } = settler.settings
    const auths = items.map(({ charge }) => charge.auth)
    const isAlone = items.length === 1
    const each = isAlone ? 0n : BATCH_GAS.each
    const gas = items.reduce((sum, { charge }) => sum + charge.gas + each, isAlone ? 0n : BATCH_GAS.base)
    // Before the ledger is locked: the node may take its time, and other payments wait for their nonces.
    const fees = await settler.gas.feesFor(
      gas,
      items.reduce((sum, { payment }) => sum + payment.amount, 0n),
    )
    const allocated = { nonce: 0, raw: '0x' as Hex }
    const claims = items.map(({ payment: { key }, holder }) => ({ key, holder }))
    const signed = await recordBroadcast(this.#deps.db, { claims, chainId, settler: settler.address }, async (nonce) => {
      const { hash, raw } = await (isAlone
        ? settler.sign(auths[0]!, gas, nonce, fees)
        : settler.signBatch(auths, gas, nonce, fees))
      Object.assign(allocated, { nonce, raw })
      return { hash, raw: toBytes(raw) }
    })
    if (!signed) return undefined
    let sending: Promise<Sent> | undefined
    return {
      hash: signed.hash as Hex,
      nonce: allocated.nonce,
      chainId,
      settler: settler.address,
      shares: BigInt(items.length),
      send: () => (sending ??= sendSigned(settler.client, allocated.raw)),
    }
  }

  async #sendAndWait(moved: Moved, raw: Hex, timeoutMs?: number): Promise<Settled> {
    await sendSigned(this.#client(moved.chain), raw)
    return this.#conclude(moved, timeoutMs)
  }

  async #conclude(moved: Moved, timeoutMs?: number): Promise<Settled> {
    const { settings, clock, hurry } = this.#deps
    const { pollMs, confirmations } = settings
    const { hash } = moved
    const wait = { timeoutMs: timeoutMs ?? settings.confirmTimeoutMs, pollMs, confirmations, clock, signal: hurry }
    const outcome = await awaitOutcome(this.#client(moved.chain), hash, moved.expected, wait)
    // Only transactions of our own can be sent again.
    if (outcome.kind === 'settled')
      return { ...outcome, gasWei: outcome.gasWei / moved.shares, block: moved.chain === 'evm' ? outcome.block : undefined }
    if (outcome.kind === 'pending' || outcome.kind === 'unclear') return { kind: 'pending', hash }
    return this.#explainRevert(moved, outcome)
  }

  /** The same authorization may have been sent by somebody who saw it on its way: then the money is here all the same. */
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
    const client = chain === 'tempo' ? this.#tempo : this.#deps.settler?.client
    if (!client) throw new Invariant('no_chain', `payment chain ${chain} is not configured`)
    return client
  }

  #evm(): EvmSettler {
    const { settler } = this.#deps
    if (!settler) throw new Invariant('no_settler', 'no evm chain is configured')
    return settler
  }
}
