import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import { ChainAway } from '../evm/rpc.ts'
import type { PaySettings } from '../settings.ts'
import { checkChains, isAway } from './check-chain.ts'
import type { Settlement } from './settlement.ts'

const RETRY_MS = 5000

export type GateDeps = { settings: PaySettings; settlement: Settlement; clock: Clock; log: Logger }

/**
 * Closed until the payment chain has been seen to be the one of the settings. A chain that is away when the process starts is asked
 * again and again; meanwhile offers are made and payments are answered 503.
 */
export class ChainGate {
  readonly #deps: GateDeps
  #isOpen = false

  constructor(deps: GateDeps) {
    this.#deps = deps
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Throws ChainAway while it is closed. */
  check(): void {
    if (!this.#isOpen) throw new ChainAway('rpc')
  }

  /** Looks once. Throws when the chain is another one than the settings say; one that is away leaves the gate closed. */
  async tryOpen(): Promise<void> {
    const { settings, settlement } = this.#deps
    try {
      await checkChains(settings)
      await settlement.start()
      this.#isOpen = true
    } catch (error) {
      if (!isAway(error) && !(error instanceof ChainAway)) throw error
      this.#deps.log.error({ err: error }, 'payment chain not available: nothing is sold until it is, trying again')
    }
  }

  /** Looks until it is open, or told to stop. A chain that turns out to be another one keeps it closed, and says so each time. */
  async open(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps
    while (!this.#isOpen && !signal.aborted) {
      await clock.sleep(RETRY_MS, signal).catch(() => {}) // aborted: the loop ends
      if (signal.aborted) return
      await this.tryOpen().catch((error) =>
        log.error({ err: error }, 'checking the payment chain failed: it is not the one of the settings, and nothing is sold'),
      )
      if (this.#isOpen) log.info('payment chain available')
    }
  }
}
