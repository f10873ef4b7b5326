/** Atomic units of a six-decimal dollar token as dollars: 1000 is "0.001000". */
export const formatUsd = (atomic: bigint): string => `${atomic / 1_000_000n}.${(atomic % 1_000_000n).toString().padStart(6, '0')}`
