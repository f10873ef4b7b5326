import { keccak256, type PublicClient } from 'viem'
import type { Clock } from '../lib/clock.ts'
import { Invariant } from '../lib/errors.ts'
import type { LedgerDb } from '../store/pay/db.ts'
import {
  announceSettler,
  dropBroadcast,
  type PaymentRow,
  recordBroadcast,
  recordSigned,
  releaseBroadcast,
} from '../store/pay/ledger.ts'
import { awaitOutcome, findReceipt, type Outcome } from './evm/confirm.ts'
import { askNode, ChainAway, openClient } from './evm/rpc.ts'
import { type EvmSettler, type Sent, sendSigned } from './evm/settler.ts'
import type { ExpectedTransfer } from './evm/token.ts'
import type { VerifiedPayment } from './payment.ts'
import type { Reason } from './problem.ts'
import type { Hex, PaySettings } from './settings.ts'

/** What came of moving the money. */
export type Settled =
  | { kind: 'settled'; hash: Hex; gasWei: bigint | undefined }
  /** the payer's fault, and known for sure: nothing moved */
  | { kind: 'refused'; reason: Reason; hash: Hex; gasWei: bigint }
  /** sent, outcome unknown: ask again with the same credential */
  | { kind: 'pending'; hash: Hex }
  /** our fault, nothing was sent or could move: the authorization is free again */
  | { kind: 'failed' }
  /** another replica took the payment over */
  | { kind: 'lost' }

export type SettlementDeps = {
  db: LedgerDb
  settings: PaySettings
  settler: EvmSettler | undefined
  clock: Clock
  onStep?: OnStep
}

/** The moments between which a payment can be interrupted; tests stop the process there. */
export type Step = 'claimed' | 'signed' | 'sent' | 'settled'
export type OnStep = (step: Step) => Promise<void> | void

type Reverted = Extract<Outcome, { kind: 'reverted' }>

const MAX_RESIGNS = 3

/**
 * Moves the money of a claimed payment. The signed transaction goes into the ledger before it is sent, so whatever happens after
 * that, the same transaction is sent again and no other one is needed.
 */
export class Settlement {
  readonly #deps: SettlementDeps
  readonly #tempo: PublicClient | undefined

  constructor(deps: SettlementDeps) {
    this.#deps = deps
    const { tempo } = deps.settings
    this.#tempo = tempo && openClient({ url: tempo.rpcUrl })
  }

  /** Learns where the settler's transaction numbers stand. */
  async start(): Promise<void> {
    const { db, settler } = this.#deps
    if (settler) await announceSettler(db, settler.settings.chainId, settler.address, await settler.countTransactions())
  }

  async charge(payment: VerifiedPayment, holder: string): Promise<Settled> {
    const { charge } = payment
    if (charge.kind === 'transaction') {
      const signed = { hash: keccak256(charge.raw), raw: toBytes(charge.raw) }
      if (!(await recordSigned(this.#deps.db, payment.key, holder, signed))) return { kind: 'lost' }
      return this.#sendAndWait(payment.key, signed.hash, charge.raw, expectedOf(payment, charge.token), 'tempo')
    }
    for (let attempt = 1; ; attempt++) {
      const signed = await this.#sign(payment, holder)
      if (!signed) return { kind: 'lost' }
      await this.#deps.onStep?.('signed')
      const sent = await this.#send(signed.raw, 'evm')
      if (sent === 'refused') {
        const { chainId, settler } = signed
        await releaseBroadcast(this.#deps.db, { key: payment.key, chainId, settler, nonce: signed.nonce })
        return { kind: 'failed' }
      }
      // Somebody uses our key elsewhere and took the number: sign again. The authorization can still be used only once.
      if (sent === 'nonce_used' && attempt < MAX_RESIGNS && !(await this.#isKnown(signed.hash))) {
        await this.start()
        continue
      }
      await this.#deps.onStep?.('sent')
      return this.#conclude(payment.key, signed.hash, expectedOf(payment, this.#evm().settings.token), 'evm')
    }
  }

  /** Goes on with a payment whose transaction stands in the ledger, after a crash or a wait that was too long. */
  async resume(row: PaymentRow, timeoutMs?: number): Promise<Settled> {
    if (!row.raw_tx || !row.tx_hash)
      throw new Invariant('no_transaction', 'a broadcast payment has no transaction', { key: row.key })
    const chain = row.method === 'tempo' ? 'tempo' : 'evm'
    const expected = {
      token: tokenOf(row, this.#deps.settings),
      from: row.payer as Hex,
      to: row.recipient as Hex,
      value: BigInt(row.amount),
    }
    return this.#sendAndWait(row.key, row.tx_hash as Hex, fromBytes(row.raw_tx), expected, chain, timeoutMs)
  }

  /** The use of an authorization by anyone, when it brought us the money. Undefined: unused, or paid to somebody else. */
  async findForeignUse(row: {
    key: string
    payer: string
    recipient: string
    amount: number | bigint
  }): Promise<Hex | undefined> {
    const settler = this.#deps.settler
    const nonce = nonceOf(row.key)
    if (!settler || !nonce) return undefined
    const use = { from: row.payer as Hex, nonce, to: row.recipient as Hex, value: BigInt(row.amount) }
    return (await settler.isUsed(use)) ? settler.findUse(use) : undefined
  }

  /** What the settler owns in native coins; undefined without one. */
  async gasLeft(): Promise<bigint | undefined> {
    const { settler } = this.#deps
    return settler && askNode(() => settler.client.getBalance({ address: settler.address }))
  }

  /** Whether a stored transaction stands in a block, whatever it did there. */
  async isMined(row: PaymentRow): Promise<boolean> {
    const client = this.#client(row.method === 'tempo' ? 'tempo' : 'evm')
    return (await findReceipt(client, row.tx_hash as Hex)) !== undefined
  }

  async #sign(payment: VerifiedPayment, holder: string) {
    const settler = this.#evm()
    const { charge, key } = payment
    if (charge.kind !== 'authorization') throw new Invariant('not_an_authorization', 'nothing to sign')
    const { chainId } = settler.settings
    const allocated = { nonce: 0, raw: '0x' as Hex }
    const signed = await recordBroadcast(this.#deps.db, { key, holder, chainId, settler: settler.address }, async (nonce) => {
      const { hash, raw } = await settler.sign(charge.auth, charge.gas, nonce)
      Object.assign(allocated, { nonce, raw })
      return { hash, raw: toBytes(raw) }
    })
    return signed && { hash: signed.hash as Hex, raw: allocated.raw, nonce: allocated.nonce, chainId, settler: settler.address }
  }

  async #sendAndWait(key: string, hash: Hex, raw: Hex, expected: ExpectedTransfer, chain: 'evm' | 'tempo', timeoutMs?: number) {
    await this.#send(raw, chain)
    return this.#conclude(key, hash, expected, chain, timeoutMs)
  }

  /** A node that is away changes nothing: the outcome is asked for until the time is over. */
  async #send(raw: Hex, chain: 'evm' | 'tempo'): Promise<Sent> {
    return sendSigned(this.#client(chain), raw).catch((error) => {
      if (error instanceof ChainAway) return 'sent' as const
      throw error
    })
  }

  async #conclude(
    key: string,
    hash: Hex,
    expected: ExpectedTransfer,
    chain: 'evm' | 'tempo',
    timeoutMs?: number,
  ): Promise<Settled> {
    const { settings, clock } = this.#deps
    const { pollMs, confirmations } = settings
    const wait = { timeoutMs: timeoutMs ?? settings.confirmTimeoutMs, pollMs, confirmations, clock }
    const outcome = await awaitOutcome(this.#client(chain), hash, expected, wait)
    if (outcome.kind === 'settled') return outcome
    if (outcome.kind === 'pending' || outcome.kind === 'unclear') return { kind: 'pending', hash }
    return this.#explainRevert(key, hash, expected, outcome)
  }

  /** The same authorization may have been sent by somebody who saw it on its way: then the money is here all the same. */
  async #explainRevert(key: string, hash: Hex, expected: ExpectedTransfer, outcome: Reverted): Promise<Settled> {
    const { gasWei } = outcome
    try {
      const foreign = await this.findForeignUse({ key, payer: expected.from, recipient: expected.to, amount: expected.value })
      if (foreign) return { kind: 'settled', hash: foreign, gasWei }
      if (nonceOf(key) === undefined || !(await this.#ranOutOfGas(hash, outcome.gasUsed)))
        return { kind: 'refused', reason: 'transfer_reverted', hash, gasWei }
    } catch (error) {
      // Not knowing whether the money came is no ground to ask for it again.
      if (error instanceof ChainAway) return { kind: 'pending', hash }
      throw error
    }
    await dropBroadcast(this.#deps.db, key)
    return { kind: 'failed' }
  }

  /** We gave it too little: not the payer's fault. An inner call keeps a 64th of the gas from its callee. */
  async #ranOutOfGas(hash: Hex, gasUsed: bigint): Promise<boolean> {
    const { gas } = await askNode(() => this.#evm().client.getTransaction({ hash }))
    return gasUsed * 100n >= gas * 97n
  }

  async #isKnown(hash: Hex): Promise<boolean> {
    const known = await this.#evm()
      .client.getTransaction({ hash })
      .catch(() => undefined)
    return known !== undefined
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

const toBytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')
const fromBytes = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`

function expectedOf(payment: VerifiedPayment, token: Hex): ExpectedTransfer {
  return { token, from: payment.payer as Hex, to: payment.recipient as Hex, value: payment.amount }
}

/** Keys of authorizations are chain:token:payer:nonce. */
function nonceOf(key: string): Hex | undefined {
  const parts = key.split(':')
  return parts.length === 4 ? (parts[3] as Hex) : undefined
}

function tokenOf(row: PaymentRow, { tempo }: PaySettings): Hex {
  const parts = row.key.split(':')
  return parts.length === 4 ? (parts[1] as Hex) : (tempo?.token ?? '0x')
}
