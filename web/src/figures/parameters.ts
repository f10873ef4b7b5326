import { formatBytes, formatPercent, formatSpan, readCoins } from '../format.ts'

const NANOS_PER_MS = 1_000_000n
const SHARE_BYTES = 512

/** Parameters by what their number means; the chain gives all of them as text. */
const MEANINGS: readonly [names: RegExp, read: (value: string) => string | undefined][] = [
  [/_bytes$/, (value) => (/^\d{4,}$/.test(value) ? formatBytes(Number(value)) : undefined)],
  [/_(duration|time|period|drift)$/, readDuration],
  [/square_size$/, (value) => `${value} × ${value} shares, ${formatBytes(Number(value) ** 2 * SHARE_BYTES)}`],
  [/max_gas$/, (value) => (value === '-1' ? 'no limit' : undefined)],
  [/^quorum$|threshold$|_(ratio|rate|reward|tax)$|_fraction_|^min_signed_per_window$/, readShare],
]

/** A parameter in days, MiB, TIA or percent; undefined where its own text says it best. */
export function readParameter(name: string, value: string): string | undefined {
  return readCoins(value) ?? MEANINGS.find(([names]) => names.test(name))?.[1](value)
}

/** Nanoseconds, or seconds with their unit. */
function readDuration(value: string): string | undefined {
  if (/^\d+s$/.test(value)) return formatSpan(Number(value.slice(0, -1)) * 1000)
  return /^\d+$/.test(value) ? formatSpan(Number(BigInt(value) / NANOS_PER_MS)) : undefined
}

function readShare(value: string): string | undefined {
  const share = Number(value)
  return /^\d+(\.\d+)?$/.test(value) && share <= 1 ? formatPercent(share) : undefined
}
