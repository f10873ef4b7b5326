import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import { failedLookup, isAnswer, type LookupResult } from '../../operations/lookup.ts'
import type { SqlPool } from '../../store/db.ts'
import {
  claimPayment,
  dropLease,
  findByIdemKey,
  findPayment,
  keepAnswer,
  markDelivered,
  markFailed,
  markLeft,
  markSettled,
  type PaymentRow,
  releaseClaim,
  type StoredAnswer,
  takeOverPayment,
} from '../../store/pay/ledger.ts'
import { hasPaid, secondsHeld } from '../../store/pay/payers.ts'
import { ChainAway } from '../evm/rpc.ts'
import type { PayMetrics } from '../metrics.ts'
import { PaymentRefused, plainProblem, refuse } from '../problem.ts'
import type { CheckedCredential, OnStep, PaymentCredential, Quote, Settled, VerifiedPayment } from '../rails/payment.ts'
import type { PaySettings } from '../settings.ts'
import type { ChainGate } from '../settle/chain-gate.ts'
import { isCovered } from '../settle/cover.ts'
import type { Settlement } from '../settle/settlement.ts'
import { type PaidAnswer, problemAnswer, withHeader } from './answer.ts'
import type { Goods } from './goods.ts'
import { credentialOf, type PaidOf, storedOf, toStored, unpaid, withReceipt } from './sold.ts'

export type SaleDeps = {
  settings: PaySettings
  db: SqlPool
  gate: Pick<ChainGate, 'check'>
  settlement: Settlement
  metrics: PayMetrics
  clock: Clock
  log: Logger
  onStep?: OnStep
}

/** One request with a payment; `holder` names who works on it. */
export type PaidOrder = { quoted: Quote; goods: Goods; credential: PaymentCredential; holder: string; admit: Admit }

/** Throws when this payer may not try now. Asked before the payment chain is. */
export type Admit = (checked: Pick<CheckedCredential, 'payer' | 'isProven'>) => Promise<void>

/** A payment whose money is here. */
type Paid = { payment: PaidOf; hash: string; at: Date }

const BUSY_RETRY_S = 2

/**
 * Sells one answer: look into the ledger, verify, claim, look up, settle, hand over (docs/payments.md). Money moves only for an answer
 * that exists, and once a transaction is out nothing is said that would make a client pay again.
 */
export class Sale {
  readonly #deps: SaleDeps

  constructor(deps: SaleDeps) {
    this.#deps = deps
  }

  /** Throws PaymentRefused when the payment cannot be taken and ChainAway when nobody can say. */
  async serve(order: PaidOrder): Promise<PaidAnswer> {
    const { db, settings, clock } = this.#deps
    const { credential, holder } = order
    // Before verification: after settlement the chain would call the authorization used, and the client would pay again.
    const resumed = await this.#findKnown(order)
    if (resumed) return resumed
    const verifiedAt = clock.now()
    const payment = await this.#verify(order).catch(async (error): Promise<PaidAnswer> => {
      // A copy may have been sold between the look into the ledger and the one at the chain.
      const sold = error instanceof PaymentRefused && error.reason === 'nonce_already_used' && (await this.#findKnown(order))
      if (!sold) throw error
      return sold
    })
    if ('status' in payment) return payment
    // The payer is proven now, so what the key has bought before belongs to whoever asks.
    const known = credential.idemKey === undefined ? undefined : await findByIdemKey(db, payment.payer, credential.idemKey)
    const repeated = known && (await this.#resume(known, order, true))
    if (repeated) return repeated
    const heldS = await secondsHeld(db, payment.payer)
    if (heldS > 0) return this.#holdBack(heldS)
    const claim = { ...payment, goods: order.goods.order }
    if (!(await claimPayment(db, claim, holder, settings.leaseMs))) return this.#inFlight()
    await this.#deps.onStep?.('claimed')
    const isEnough = await isCovered(this.#deps, payment, verifiedAt).catch(async (error) => {
      await releaseClaim(db, payment.key, holder)
      throw error
    })
    if (!isEnough) {
      await releaseClaim(db, payment.key, holder)
      return this.#inFlight()
    }
    return this.#deliver(payment, order)
  }

  async #findKnown(order: PaidOrder): Promise<PaidAnswer | undefined> {
    const { credential } = order
    const seen = await findPayment(this.#deps.db, credential)
    return seen && this.#resume(seen, order, seen.credential_hash.equals(credential.credentialHash))
  }

  async #verify({ credential, quoted, admit }: PaidOrder): Promise<VerifiedPayment> {
    this.#deps.gate.check()
    const checked = await credential.check(quoted)
    await admit(checked)
    const payment = await checked.verify()
    // The token has asked the contract: from here on it is the payer.
    if (!checked.isProven) await admit({ ...checked, isProven: true })
    return payment
  }

  /** Its last transfers were mined in vain, at our cost. */
  #holdBack(seconds: number): PaidAnswer {
    this.#deps.metrics.credential('held_back')
    return problemAnswer(plainProblem(429, 'transfers of this payer reverted: its payments are held back for a while'), {
      'retry-after': String(seconds),
    })
  }

  /** Whether this payer has bought something before. */
  isCustomer(payer: string): Promise<boolean> {
    return hasPaid(this.#deps.db, payer)
  }

  /** A payment the ledger knows; `isOwn`: its bearer asks. Undefined: it is free, go on as if it were new. */
  async #resume(row: PaymentRow, order: PaidOrder, isOwn: boolean): Promise<PaidAnswer | undefined> {
    const { db, settings } = this.#deps
    const { credential, quoted, holder } = order
    const isForThis = row.fingerprint.equals(quoted.fingerprint)
    if (isOwn && !isForThis && credential.idemKey !== undefined && row.idem_key === credential.idemKey)
      return problemAnswer(plainProblem(409, 'this idempotency key was used for another request'))
    // The credential is a key itself: an answer that was lost on the way is given again, as long as the challenge would live.
    const stored = isOwn && isForThis ? storedOf(row) : undefined
    if (stored) return this.#repeat(order.goods.unseal(stored, row.credential_hash), row)
    // Sold for another request, whether that has its answer yet or not. One that is only claimed may become free.
    if (isOwn && !isForThis && isCharged(row)) throw refuse('not_bound_here')
    if (isOpen(row) && row.lease_left > 0) return this.#inFlight()
    if (row.state === 'failed') throw refuse(row.failure === 'expired' ? 'expired' : 'transfer_reverted')
    if (!isOwn && row.state !== 'claimed') {
      // A known authorization in another wrapping: its bearer is not proven, and it buys nothing twice.
      if (row.state === 'broadcast') return this.#inFlight()
      throw refuse('already_delivered')
    }
    if (!isForThis) throw refuse('not_bound_here')
    if (row.state === 'refunded') throw refuse('refunded')
    if (row.state === 'delivered') throw refuse('already_delivered')
    const taken = await takeOverPayment(db, row.key, holder, settings.leaseMs)
    if (!taken) return this.#inFlight()
    try {
      return await this.#goOn(taken, order)
    } catch (error) {
      // Best effort: without it others wait until the lease has run out.
      await dropLease(db, taken.key, holder).catch(() => {})
      throw error
    }
  }

  /** From where whoever held the payment before has left it. */
  async #goOn(row: PaymentRow, order: PaidOrder): Promise<PaidAnswer | undefined> {
    const { db, settlement } = this.#deps
    if (row.state === 'settled' || row.state === 'credit') return this.#deliverSettled(row, row.tx_hash!, order)
    if (row.state === 'broadcast') return this.#conclude(await settlement.resume(row, order.holder), row, order)
    const foreign = await settlement.findForeignUse(row)
    if (foreign) return this.#conclude({ kind: 'settled', ...foreign, gasWei: undefined }, row, order)
    await releaseClaim(db, row.key, order.holder)
    return undefined
  }

  /** The stored answer, for who asks again. */
  #repeat(stored: StoredAnswer, row: PaymentRow): PaidAnswer {
    this.#deps.metrics.credential('replayed')
    const { db } = this.#deps
    return {
      ...withHeader(withReceipt(stored, row, row.tx_hash!, settledAtOf(row)), 'idempotent-replayed', 'true'),
      onDelivered: () => markDelivered(db, row.key),
      onLost: async () => {},
    }
  }

  async #deliver(payment: VerifiedPayment, order: PaidOrder): Promise<PaidAnswer> {
    const { db, settings, settlement, metrics, clock } = this.#deps
    const { holder, quoted, goods } = order
    const result = await this.#ask(order, goods.find)
    if (!isAnswer(result) || (result.status === 204 && !settings.chargeNoContent)) {
      await releaseClaim(db, payment.key, holder)
      metrics.credential('refused_after_lookup')
      // Our own failures are not held against who meets them.
      return { ...unpaid(result), isUnsold: result.status < 500 }
    }
    const start = clock.now()
    const settled = await settlement.charge(payment, holder).catch(async (error) => {
      // Claimed or already stored with its transaction: either way the next one with this credential, or the job, continues.
      await dropLease(db, payment.key, holder).catch(() => {})
      throw error
    })
    if (settled.kind !== 'settled') return this.#notSettled(settled, payment.key, holder)
    const answer = goods.order ? undefined : toStored(result)
    const settledAt = await markSettled(db, payment.key, holder, {
      txHash: settled.hash,
      gasWei: settled.gasWei,
      block: settled.block,
      answer,
      answerTtlS: settings.challengeTtlS,
    })
    if (!settledAt) return this.#inFlight()
    await this.#deps.onStep?.('settled')
    metrics.settled(quoted.operation.tier, payment.amount, settled.gasWei, (clock.now() - start) / 1000)
    metrics.credential('paid')
    const paid = { payment, hash: settled.hash, at: new Date(settledAt) }
    return answer ? this.#handOver(answer, paid, order) : this.#collect(paid, order)
  }

  /** After a crash or a long wait: the money question first, then the answer. */
  async #conclude(settled: Settled, row: PaymentRow, order: PaidOrder): Promise<PaidAnswer> {
    if (settled.kind !== 'settled') return this.#notSettled(settled, row.key, order.holder)
    const { hash: txHash, gasWei, block } = settled
    const at = await markSettled(this.#deps.db, row.key, order.holder, { txHash, gasWei, block })
    if (!at) return this.#inFlight()
    this.#deps.metrics.settled(row.tier, BigInt(row.amount), gasWei, row.waiting_s)
    return this.#deliverSettled({ ...row, settled_at: at }, settled.hash, order)
  }

  async #deliverSettled(row: PaymentRow, hash: string, order: PaidOrder): Promise<PaidAnswer> {
    const answer = storedOf(row)
    const paid = { payment: row, hash, at: settledAtOf(row) }
    const handed = answer ? this.#handOver(answer, paid, order) : await this.#collect(paid, order)
    if (handed.status < 300) this.#deps.metrics.credential('paid_after_retry')
    return handed
  }

  /** Paid already. When there is no answer now, the payment keeps its worth for the same request. */
  async #collect(paid: Paid, order: PaidOrder): Promise<PaidAnswer> {
    const { db, settings } = this.#deps
    const { key } = paid.payment
    const result = await this.#ask(order, () => order.goods.collect(key))
    if (!isAnswer(result)) {
      await dropLease(db, key, order.holder)
      return unpaid(result)
    }
    const answer = toStored(result)
    await keepAnswer(db, key, answer, settings.challengeTtlS)
    return this.#handOver(answer, paid, order)
  }

  async #notSettled(settled: Exclude<Settled, { kind: 'settled' }>, key: string, holder: string): Promise<PaidAnswer> {
    const { db, metrics } = this.#deps
    switch (settled.kind) {
      case 'refused':
        if (!(await markFailed(db, key, holder, { failure: settled.reason, gasWei: settled.gasWei }))) return this.#inFlight()
        throw refuse(settled.reason, settled.hash)
      case 'pending':
        await dropLease(db, key, holder)
        metrics.credential('pending')
        return problemAnswer(
          plainProblem(503, 'the payment is sent and not confirmed yet: repeat the request with the same credential', {
            ...(settled.hash && { transaction: settled.hash }),
          }),
          { 'retry-after': String(BUSY_RETRY_S) },
        )
      case 'failed':
        throw new ChainAway('busy')
      case 'lost':
        return this.#inFlight()
    }
  }

  #handOver(answer: StoredAnswer, { payment, hash, at }: Paid, { goods, holder }: PaidOrder): PaidAnswer {
    const { db } = this.#deps
    return {
      ...withReceipt(goods.unseal(answer, credentialOf(payment)), payment, hash, at),
      onDelivered: () => markDelivered(db, payment.key),
      onLost: () => markLeft(db, payment.key, holder),
    }
  }

  async #ask({ quoted }: PaidOrder, question: Goods['find']): Promise<LookupResult> {
    return question().catch((error) =>
      failedLookup(error, (err) => this.#deps.log.error({ err, operation: quoted.operation.id }, 'lookup failed')),
    )
  }

  #inFlight(): PaidAnswer {
    this.#deps.metrics.credential('in_flight')
    return problemAnswer(plainProblem(409, 'this payment is being processed'), { 'retry-after': String(BUSY_RETRY_S) })
  }
}

const isCharged = ({ state }: PaymentRow): boolean => state !== 'claimed' && state !== 'failed'

const isOpen = ({ state }: PaymentRow): boolean => state !== 'delivered' && state !== 'failed' && state !== 'refunded'

const settledAtOf = ({ settled_at: at }: PaymentRow): Date => (at === null ? new Date() : new Date(at))
