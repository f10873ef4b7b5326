import type { Clock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { SqlPool } from '../../store/db.ts'
import { recordBroadcast } from '../../store/pay/nonces.ts'
import { BATCH_GAS, MULTICALL3 } from '../evm/multicall.ts'
import { askNode } from '../evm/rpc.ts'
import { type EvmSettler, type Sent, sendSigned } from '../evm/settler.ts'
import type { Charge, VerifiedPayment } from '../rails/payment.ts'
import type { Hex } from '../settings.ts'
import { toBytes } from './ledger-facts.ts'

/** A claimed payment by authorization; `holder` works on it. */
export type Authorized = { payment: VerifiedPayment; charge: Extract<Charge, { kind: 'authorization' }>; holder: string }

/** A transaction that one or more payments wait for; sent once. */
export type SignedTogether = {
  hash: Hex
  nonce: number
  chainId: number
  settler: Hex
  shares: bigint
  send: () => Promise<Sent>
}

/** Signs transactions of the settler for payments, alone or together, and keeps each in the ledger before it can be sent. */
export class Signing {
  readonly #db: SqlPool
  readonly #settler: EvmSettler
  readonly #window: Window<Authorized, SignedTogether | undefined> | undefined

  constructor(db: SqlPool, settler: EvmSettler, clock: Clock) {
    this.#db = db
    this.#settler = settler
    const { batchMs = 0, batchSize = 10 } = settler.settings
    const limits = { ms: batchMs, size: batchSize, clock }
    this.#window = batchMs > 0 ? new Window((items) => this.#signAll(items), limits) : undefined
  }

  /** Throws where payments are to be batched and the chain has no contract for that. */
  async check(): Promise<void> {
    if (this.#window && ((await askNode(() => this.#settler.client.getCode({ address: MULTICALL3 }))) ?? '0x') === '0x')
      throw new OperatorError('no_multicall', `the payment chain has no Multicall3 at ${MULTICALL3}: set paid.evm.batch_ms to 0`)
  }

  /** Undefined when the claim was lost. */
  sign(item: Authorized): Promise<SignedTogether | undefined> {
    // A contract uses as much gas as it likes, so it stays alone.
    return this.#window && !item.charge.auth.byContract ? this.#window.add(item) : this.#signTogether([item])
  }

  /** Together; when somebody else has taken one of them over, each by itself. */
  async #signAll(items: readonly Authorized[]): Promise<(SignedTogether | undefined)[]> {
    const signed = items.length > 1 ? await this.#signTogether(items) : undefined
    return signed ? items.map(() => signed) : Promise.all(items.map((item) => this.#signTogether([item])))
  }

  async #signTogether(items: readonly Authorized[]): Promise<SignedTogether | undefined> {
    const settler = this.#settler
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
    const signed = await recordBroadcast(this.#db, { claims, chainId, settler: settler.address }, async (nonce) => {
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
}

/** Collects what comes within a window, or up to a number, and works on it together. */
class Window<T, R> {
  readonly #work: (items: readonly T[]) => Promise<readonly R[]>
  readonly #limits: { ms: number; size: number; clock: Clock }
  #waiting: { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = []

  constructor(work: (items: readonly T[]) => Promise<readonly R[]>, limits: { ms: number; size: number; clock: Clock }) {
    this.#work = work
    this.#limits = limits
  }

  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (this.#waiting.length >= this.#limits.size) void this.#flush()
      else if (this.#waiting.length === 1) void this.#limits.clock.sleep(this.#limits.ms).then(() => this.#flush())
    })
  }

  async #flush(): Promise<void> {
    const taken = this.#waiting
    this.#waiting = []
    if (taken.length === 0) return
    try {
      const results = await this.#work(taken.map(({ item }) => item))
      for (const [i, { resolve }] of taken.entries()) resolve(results[i]!)
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
  }
}
