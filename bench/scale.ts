import { parseArgs } from 'node:util'
import type { Progress } from '../src/pipeline/catch-up.ts'
import { calibrateBeside } from './calibration.ts'
import { printTable } from './measure.ts'
import type { ReadCost } from './read-load.ts'
import { BULKY, ScaleRun, type Stretch } from './scale-run.ts'
import { run as compareSegments } from './segments.ts'
import type { TableSizes } from './table-sizes.ts'

const PARTS = 10
const PROGRESS_MS = 30_000
const INGEST_SAMPLE_MS = 15_000
const READ_SAMPLE_MS = 10_000
const LEAST_RATE = 0.9
const MOST_READ_GROWTH = 1.5
/** What CPU times of a second show by chance alone, in µs. */
const READ_NOISE = 50

const USAGE = `npm run bench -- scale [--blocks N] [--minutes M] [--threads T] [--read-seconds S] [--folder DIR]
  also as SCALE_BLOCKS, SCALE_MINUTES, SCALE_THREADS, SCALE_READ_SECONDS, SCALE_FOLDER`

/** `unit`: what the calibration loop took meanwhile, in ms of CPU: how slow the machine was. */
type Sealed = Stretch & { sealing: number; unit: number }
type Reads = { costs: Map<string, ReadCost>; unit: number }

/**
 * Whether an index stays as fast and as lean as it was when it was small: a generated chain of a million blocks and five million txs,
 * indexed in tenths. Each tenth is moved into segments before the next begins. Indexing stops after `--minutes`; what was measured by
 * then is printed. Blocks of this chain carry few events, so what segments save is also measured with blocks of the main network's shape.
 */
export async function run(args: string[]): Promise<void> {
  const { blocks, minutes, threads, readSeconds, folder } = readOptions(args)
  const startedAt = performance.now()
  const scale = await ScaleRun.open(blocks, threads, folder)
  const deadline = AbortSignal.timeout(minutes * 60_000)
  try {
    const parts: Sealed[] = []
    let unsealed: TableSizes | undefined
    let short: Reads | undefined
    for (let part = 1; part <= PARTS && !deadline.aborted; part++) {
      const until = Math.round((blocks * part) / PARTS)
      const { result: stretch, unit } = await calibrateBeside(INGEST_SAMPLE_MS, () =>
        scale.indexTo(until, deadline, tellProgress(startedAt)),
      )
      if (stretch.to < until) break
      unsealed ??= await scale.sizesWithoutSegments()
      parts.push({ ...stretch, unit, sealing: await scale.seal(deadline) })
      console.log(`${since(startedAt)} tenth ${part}: ${rateText(parts.at(-1)!)}`)
      short ??= await measureReads(scale, readSeconds)
    }
    if (scale.height < blocks) console.log(`stopped after ${minutes} minutes at height ${scale.height} of ${blocks}`)
    if (!unsealed || !short) return console.log('the first tenth was not finished: nothing can be compared')
    printParts(parts, threads)
    printReads(short, await measureReads(scale, readSeconds), { first: parts[0]!.to, all: scale.height })
    const before = { name: 'first tenth, before segments', sizes: unsealed }
    const after = { name: 'all, with segments, as it is on disk', sizes: await scale.sizes() }
    printTables(after.sizes)
    console.log(`\n${since(startedAt)} rewriting ${BULKY.join(', ')} without dead rows`)
    const compact = { name: 'all, with segments, without dead rows', sizes: await scale.sizes({ compact: true }) }
    printSizes([before, after, compact], await scale.segmentBytes())
  } finally {
    await scale.close()
    console.log(`\n${since(startedAt)} in all`)
  }
  console.log("\nsegments with blocks of the main network's shape")
  await compareSegments([])
}

async function measureReads(scale: ScaleRun, seconds: number): Promise<Reads> {
  const { result: costs, unit } = await calibrateBeside(READ_SAMPLE_MS, () => scale.reads(seconds))
  return { costs, unit }
}

function readOptions(args: string[]) {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      args,
      options: { blocks: text, minutes: text, threads: text, 'read-seconds': text, folder: text },
    })
    const number = (value: string | undefined, env: string, otherwise: number) => {
      const chosen = Number(value ?? process.env[env] ?? otherwise)
      if (!(chosen > 0)) throw new Error(`${env} has to be a number above 0`)
      return chosen
    }
    return {
      blocks: number(values.blocks, 'SCALE_BLOCKS', 1_000_000),
      minutes: number(values.minutes, 'SCALE_MINUTES', 240),
      threads: number(values.threads, 'SCALE_THREADS', 1),
      readSeconds: number(values['read-seconds'], 'SCALE_READ_SECONDS', 2),
      folder: values.folder ?? process.env.SCALE_FOLDER,
    }
  } catch (error) {
    console.error(`${(error as Error).message}\nusage: ${USAGE}`)
    process.exit(2)
  }
}

const since = (startedAt: number) => `${((performance.now() - startedAt) / 60_000).toFixed(1)} min`
const rateText = ({ to, blocks, txs, seconds, sealing }: Sealed) =>
  `height ${to}, ${Math.round(blocks / seconds)} blocks/s, ${Math.round(txs / seconds)} txs/s, sealed in ${sealing.toFixed(0)} s`

function tellProgress(startedAt: number): (progress: Progress) => void {
  let toldAt = performance.now()
  return ({ height }) => {
    if (performance.now() - toldAt < PROGRESS_MS) return
    toldAt = performance.now()
    console.log(`${since(startedAt)} height ${height}`)
  }
}

function printParts(parts: readonly Sealed[], threads: number): void {
  printTable(
    `ingest from a node on loopback with ${threads} decode thread(s), by tenths; CPU in ms per tx`,
    parts.map(({ to, blocks, txs, seconds, indexer, postgres, node, peakMemory, sealing, unit }) => ({
      'up to height': to,
      txs,
      'blocks/s': Math.round(blocks / seconds),
      'txs/s': Math.round(txs / seconds),
      CPU: msPer(indexer + postgres, txs),
      'of which PostgreSQL': msPer(postgres, txs),
      'the node, which makes the chain': msPer(node, txs),
      'memory MB': Math.round(peakMemory / 1e6),
      'sealing, s': sealing.toFixed(1),
      'calibration, ms': unit.toFixed(1),
    })),
  )
  const [first, last] = [parts[0]!, parts.at(-1)!]
  const rate = (part: Sealed) => part.txs / part.seconds
  const cost = (part: Sealed) => (part.indexer + part.postgres) / part.txs
  const slower = last.unit / first.unit
  const ofNode = (part: Sealed) => part.node / part.txs
  const slowerNode = ofNode(last) / ofNode(first)
  const rateShare = rate(last) / rate(first)
  const costShare = cost(last) / cost(first)
  const kept = rateShare * slower
  console.log(
    `rate of the last tenth: ${percent(rateShare)} of the first's, on a machine that took ${percent(slower)} of the time for the calibration loop; for the same machine ${percent(kept)} (wanted: ${percent(LEAST_RATE)} or more): ${verdict(kept >= LEAST_RATE)}`,
  )
  // Both cores are busy, so what the node takes is missing from the rate.
  console.log(`the node took ${percent(slowerNode)} of its CPU per tx`)
  console.log(`CPU per tx: ${percent(costShare)}, for the same machine ${percent(costShare / slower)}`)
  const peaks = parts.map(({ peakMemory }) => peakMemory)
  console.log(
    `memory of the indexer: ${percent(last.peakMemory / first.peakMemory)} of the first tenth's, ${Math.round(Math.max(...peaks) / 1e6)} MB at most`,
  )
}

function printReads(short: Reads, long: Reads, heights: { first: number; all: number }): void {
  const total = ({ cpu, postgresCpu }: ReadCost) => cpu + postgresCpu
  const slower = long.unit / short.unit
  const rows = [...long.costs].flatMap(([name, after]) => {
    const before = short.costs.get(name)
    return before ? [{ name, before, after, growth: total(after) / total(before) / slower }] : []
  })
  printTable(
    `reads without a cache at height ${heights.first} and at ${heights.all}: requests/s · p99 ms, and CPU µs per request with PostgreSQL; the growth is for the same machine, which took ${percent(slower)} of the time for the calibration loop`,
    rows.map(({ name, before, after, growth }) => ({
      class: name,
      short: `${Math.round(before.perSecond)} · ${before.p99}`,
      long: `${Math.round(after.perSecond)} · ${after.p99}`,
      'CPU short': Math.round(total(before)),
      'CPU long': Math.round(total(after)),
      'of which PostgreSQL': `${Math.round(before.postgresCpu)} / ${Math.round(after.postgresCpu)}`,
      growth: `${growth.toFixed(2)} x`,
    })),
  )
  const grown = rows.filter(
    ({ before, after, growth }) => growth > MOST_READ_GROWTH && total(after) / slower - total(before) > READ_NOISE,
  )
  console.log(
    `classes that grew to more than ${MOST_READ_GROWTH} x: ${grown.length === 0 ? 'none' : grown.map(({ name }) => name).join(', ')}`,
  )
}

type Kept = { name: string; sizes: TableSizes }

/** Without segments the txs of blocks would not be kept at all. */
const keptBytes = ({ database, tables }: TableSizes) => database - (tables.get('block_txs') ?? 0)
const bulky = ({ tables }: TableSizes) => BULKY.reduce((sum, table) => sum + (tables.get(table) ?? 0), 0)

function printSizes(rows: readonly Kept[], segmentBytes: number): void {
  const perTx = ({ sizes }: Kept) => keptBytes(sizes) / sizes.txs
  printTable(
    'bytes in PostgreSQL, indexes included',
    rows.map((row, i) => ({
      index: row.name,
      GB: (keptBytes(row.sizes) / 1e9).toFixed(2),
      'per block': Math.round(keptBytes(row.sizes) / row.sizes.blocks),
      'per tx': Math.round(perTx(row)),
      'less by': i === 0 ? '' : percent(1 - perTx(row) / perTx(rows[0]!)),
      'block, tx, message and their bytes per tx': Math.round(bulky(row.sizes) / row.sizes.txs),
      'segments per tx': i === 0 ? '' : Math.round(segmentBytes / row.sizes.txs),
    })),
  )
}

function printTables({ tables, txs }: TableSizes): void {
  printTable(
    'largest tables at the end',
    [...tables]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 12)
      .map(([table, bytes]) => ({ table, MB: (bytes / 1e6).toFixed(0), 'bytes per tx': (bytes / txs).toFixed(0) })),
  )
}

const msPer = (seconds: number, count: number) => ((seconds * 1000) / count).toFixed(3)
const percent = (share: number) => `${Math.round(100 * share)} %`
const verdict = (holds: boolean) => (holds ? 'yes' : 'NO')
