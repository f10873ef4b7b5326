import type { Metrics, TPS } from '../../../src/client/gen/operations.ts'

/** Highest transactions per second of an hour of the week: the API compares whole hours only, and the present one belongs to the week. */
export const highestTps = ({ high, current }: TPS): number => Math.max(high, current)

/** Part of a validator's stake that is its own; the score of the API under that name falls as the part grows. */
export const ownPart = ({ self_delegation_amount, stake }: Metrics): number =>
  Number(stake) > 0 ? Number(self_delegation_amount) / Number(stake) : 0
