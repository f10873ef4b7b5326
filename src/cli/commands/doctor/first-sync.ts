import type { NodeSample } from '../../../chain/rpc/probe.ts'

/**
 * Measured with the benches `ingest` (24 kB of JSON per height: 2.05 ms CPU, 12.7 kB of tables) and `mainnet` (420 kB: 15.2 ms, 67 kB), on
 * one kind of machine: a line through both.
 */
const CPU_MS = { perHeight: 1.25, perKilobyte: 0.033 }
const TABLE_BYTES = { perHeight: 9_400, perByte: 0.137 }
/** Requests that the indexer has under way at one node. */
const REQUESTS_AT_ONCE = 8

const HOUR_MS = 3_600_000

export type SyncEstimate = {
  trafficBytes: number
  tableBytes: number
  /** CPU of the indexer and PostgreSQL together */
  coreHours: number
  /** from one node, one request after the other */
  nodeHours: number
}

/** Time and traffic of `heights` like the sampled ones. */
export function estimateSync(heights: number, { bytes, ms }: NodeSample): SyncEstimate {
  return {
    trafficBytes: heights * bytes,
    tableBytes: heights * (TABLE_BYTES.perHeight + TABLE_BYTES.perByte * bytes),
    coreHours: (heights * (CPU_MS.perHeight + CPU_MS.perKilobyte * (bytes / 1000))) / HOUR_MS,
    nodeHours: (heights * ms) / HOUR_MS,
  }
}

export function describeSync(heights: number, sample: NodeSample): string {
  const { trafficBytes, tableBytes, coreHours, nodeHours } = estimateSync(heights, sample)
  const seen = `${heights} heights to go, like ${sample.count} that were fetched (${(sample.bytes / 1000).toFixed(0)} kB and ${sample.ms.toFixed(0)} ms each)`
  return [
    `${seen}: ${sizeText(trafficBytes)} from the nodes`,
    `${sizeText(tableBytes)} of tables`,
    `${hourText(coreHours)} of CPU time for the indexer and PostgreSQL`,
    `${hourText(nodeHours)} of requests to one node, which gets up to ${REQUESTS_AT_ONCE} at a time`,
  ].join(', ')
}

const UNITS: [number, string][] = [
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
]

function sizeText(bytes: number): string {
  const [size, unit] = UNITS.find(([least]) => bytes >= least) ?? UNITS.at(-1)!
  return `${(bytes / size).toFixed(1)} ${unit}`
}

const hourText = (hours: number) =>
  hours < 1 ? `${Math.ceil(hours * 60)} minutes` : `${hours.toFixed(hours < 10 ? 1 : 0)} hours`
