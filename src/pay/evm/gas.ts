import { type Address, type PublicClient, parseAbi } from 'viem'
import type { EvmSettings, Hex } from '../settings.ts'
import { askNode, ChainAway } from './rpc.ts'

/** Fees and the settler's balance move slowly against the rate of payments. */
const FRESH_MS = 3000

/** Where chains of the OP family tell what a transaction's data costs on the chain below. */
const L1_FEE_ORACLE: Address = '0x420000000000000000000000000000000000000F'
const ORACLE_ABI = parseAbi(['function getL1Fee(bytes data) view returns (uint256)'])
/** As long as a signed transfer, of bytes that do not compress. */
const TYPICAL_TX: Hex = `0x${Array.from({ length: 480 }, (_, i) => (((i * 167 + 13) % 255) | 1).toString(16).padStart(2, '0')).join('')}`

export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

type GasSettings = Pick<EvmSettings, 'maxGas' | 'nativeUsd' | 'maxGasCostPercent'>

/**
 * Bounds the cost of a settlement. The settler pays gas for everyone who shows up with a signature, so each transaction is bounded twice: in
 * units of gas, and in money against the price it collects.
 */
export class GasBudget {
  readonly #client: PublicClient
  readonly #settler: Hex
  readonly #settings: GasSettings
  readonly #now = fresh(() => this.#askFees())
  readonly #l1Fee = fresh(() => this.#askL1Fee())
  readonly #balance = fresh(() => askNode(() => this.#client.getBalance({ address: this.#settler })))
  #hasOracle: boolean | undefined

  constructor(client: PublicClient, settler: Hex, settings: GasSettings) {
    this.#client = client
    this.#settler = settler
    this.#settings = settings
  }

  /** Fees that a transaction is mined with now, and so much above that it is not stuck when they rise. */
  async currentFees(): Promise<Fees> {
    return withHeadroom(await this.#now.get())
  }

  /** Throws when the settler could not pay for `gas` units. */
  async checkFunds(gas: bigint): Promise<void> {
    const { maxFeePerGas } = await this.currentFees()
    if ((await this.#balance.get()) >= gas * maxFeePerGas) return
    // Ask again next time: somebody may be filling it up right now.
    this.#balance.forget()
    throw new ChainAway('gas')
  }

  /** Fees for a transaction that takes up to `gas` to collect `amount`; throws while even the fees of now are more than it may cost. */
  async feesFor(gas: bigint, amount: bigint): Promise<Fees> {
    const now = await this.#now.get()
    const most = await this.#mostPerGas(gas, amount)
    if (most === undefined) return withHeadroom(now)
    if (now.maxFeePerGas > most) throw new ChainAway('fees')
    return capped(withHeadroom(now), most)
  }

  /** Fees for a transaction that is already out, or undefined when it must not become dearer. */
  async raiseWithin(fees: Fees, gas: bigint, amount: bigint): Promise<Fees | undefined> {
    const most = await this.#mostPerGas(gas, amount)
    return most !== undefined && fees.maxFeePerGas > most ? undefined : fees
  }

  /** Undefined: no bound, because the native coin is worth nothing. */
  async #mostPerGas(gas: bigint, amount: bigint): Promise<bigint | undefined> {
    const { nativeUsd, maxGasCostPercent } = this.#settings
    const microUsd = BigInt(Math.round(nativeUsd * 1e6))
    if (microUsd === 0n) return undefined
    const budget = (amount * BigInt(maxGasCostPercent) * 10n ** 18n) / (100n * microUsd) - (await this.#l1Fee.get())
    return budget <= 0n ? 0n : budget / gas
  }

  #askFees(): Promise<Fees> {
    return askNode(() => this.#client.estimateFeesPerGas({ chain: null }))
  }

  async #askL1Fee(): Promise<bigint> {
    const address = L1_FEE_ORACLE
    this.#hasOracle ??= ((await askNode(() => this.#client.getCode({ address }))) ?? '0x') !== '0x'
    if (!this.#hasOracle) return 0n
    return askNode(() => this.#client.readContract({ address, abi: ORACLE_ABI, functionName: 'getL1Fee', args: [TYPICAL_TX] }))
  }
}

function fresh<T>(ask: () => Promise<T>): { get: () => Promise<T>; forget: () => void } {
  let known: { at: number; value: T } | undefined
  return {
    async get() {
      if (!known || Date.now() - known.at > FRESH_MS) known = { at: Date.now(), value: await ask() }
      return known.value
    },
    forget: () => {
      known = undefined
    },
  }
}

/** Only the block's own fee is paid; the rest keeps a transaction from being stuck, and all behind it, when fees rise. */
function withHeadroom({ maxFeePerGas, maxPriorityFeePerGas }: Fees): Fees {
  return { maxFeePerGas: maxFeePerGas * 2n, maxPriorityFeePerGas }
}

function capped({ maxFeePerGas, maxPriorityFeePerGas }: Fees, most: bigint): Fees {
  const max = maxFeePerGas < most ? maxFeePerGas : most
  return { maxFeePerGas: max, maxPriorityFeePerGas: maxPriorityFeePerGas < max ? maxPriorityFeePerGas : max }
}
