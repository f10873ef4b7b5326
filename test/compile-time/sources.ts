/** Proofs by `tsc`, see effects.ts: a source of off-chain data that is configured and never polled does not compile. */
import type { OffchainConfig } from '../../src/config/offchain-schema.ts'
import type { Polls } from '../../src/offchain/pollers.ts'

declare const polls: Polls
const { price, ...withoutPrice } = polls

// @ts-expect-error the settings know `price`, nobody polls it
export const sourceForgotten: Polls = withoutPrice
// @ts-expect-error a source without settings
export const sourceInvented: Polls = { ...withoutPrice, price, weather: price }

/** The polled list is made of this table, so every source of the settings is in it. */
export const settings: Record<keyof OffchainConfig, unknown> = polls
