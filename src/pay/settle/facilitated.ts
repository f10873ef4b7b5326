import { Invariant } from '../../lib/errors.ts'
import type { LedgerDb } from '../../store/pay/db.ts'
import { noteTransaction, recordHandedOver } from '../../store/pay/facilitated.ts'
import { dropBroadcast, type PaymentRow } from '../../store/pay/ledger.ts'
import { awaitOutcome, type Wait } from '../evm/confirm.ts'
import { ChainAway } from '../evm/rpc.ts'
import type { ExpectedTransfer } from '../evm/token.ts'
import type { Found, TokenChain } from '../evm/token-chain.ts'
import { refuse } from '../problem.ts'
import type { Facilitator, FacilitatorAnswer } from '../rails/facilitator.ts'
import type { FacilitatorRequest } from '../rails/facilitator-client.ts'
import type { Charge, OnStep, Settled } from '../rails/payment.ts'
import type { Hex } from '../settings.ts'
import { giveUp, isOver } from './stuck.ts'

export type FacilitatedDeps = {
  db: LedgerDb
  chain: TokenChain
  /** undefined: one has settled before, and none is configured now */
  facilitator: Facilitator | undefined
  onStep?: OnStep | undefined
}

/** A transfer that the facilitator was asked for: whose, and what the chain must show. */
type Asked = {
  key: string
  holder: string
  expected: ExpectedTransfer
  wait: Wait
  /** the transaction by which anyone has used the authorization, when it brought us the money */
  findUse: () => Promise<Found | undefined>
}

/**
 * Settles through a facilitator. What it is asked goes into the ledger before it is asked: its answer may be lost, or wrong. Only the
 * chain says that money has moved, and while the facilitator may still move it nobody is told to pay again.
 */
export class FacilitatedSettlement {
  readonly #deps: FacilitatedDeps

  constructor(deps: FacilitatedDeps) {
    this.#deps = deps
  }

  async charge(charge: Extract<Charge, { kind: 'authorization' }>, asked: Asked): Promise<Settled> {
    const { db, onStep } = this.#deps
    const facilitator = this.#facilitator()
    const request = facilitator.requestOf(charge.auth, charge.x402)
    if (!(await recordHandedOver(db, asked.key, asked.holder, JSON.stringify(request)))) return { kind: 'lost' }
    await onStep?.('signed')
    return this.#settle(request, asked)
  }

  /** Looks at the chain first. Without time to wait that is all: the facilitator is asked again by who presents the payment again. */
  async resume(row: PaymentRow, asked: Asked): Promise<Settled> {
    const hash = (row.tx_hash ?? undefined) as Hex | undefined
    try {
      const used = await asked.findUse()
      if (used) return { kind: 'settled', ...used, gasWei: 0n }
      if (await isOver(this.#deps.chain, row)) return giveUp(row)
    } catch (error) {
      if (error instanceof ChainAway) return { kind: 'pending', hash }
      throw error
    }
    if (asked.wait.timeoutMs === 0 || !this.#deps.facilitator) return { kind: 'pending', hash }
    return this.#settle(JSON.parse(row.facilitator_request!) as FacilitatorRequest, asked)
  }

  async #settle(request: FacilitatorRequest, asked: Asked): Promise<Settled> {
    const { db, chain, onStep } = this.#deps
    const answer = await this.#facilitator().settle(request)
    await onStep?.('sent')
    const hash = answer.kind === 'sent' ? answer.hash : undefined
    if (hash) {
      await noteTransaction(db, asked.key, asked.holder, hash)
      const outcome = await awaitOutcome(chain.client, hash, asked.expected, asked.wait)
      if (outcome.kind === 'settled') return { ...outcome, gasWei: 0n }
    }
    const used = await asked.findUse().catch((error) => {
      if (error instanceof ChainAway) return 'unknown' as const
      throw error
    })
    if (used === 'unknown') return { kind: 'pending', hash }
    return used ? { kind: 'settled', ...used, gasWei: 0n } : this.#notMoved(answer, asked)
  }

  /** Nothing has moved so far. That it refuses is believed, as long as the chain shows nothing else. */
  async #notMoved(answer: FacilitatorAnswer, { key, holder }: Asked): Promise<Settled> {
    if (answer.kind !== 'refused') return { kind: 'pending', hash: answer.kind === 'sent' ? answer.hash : undefined }
    await dropBroadcast(this.#deps.db, key, holder)
    if (answer.reason === undefined) return { kind: 'failed' }
    throw refuse(answer.reason)
  }

  #facilitator(): Facilitator {
    const { facilitator } = this.#deps
    if (!facilitator) throw new Invariant('no_facilitator', 'no facilitator is configured')
    return facilitator
  }
}
