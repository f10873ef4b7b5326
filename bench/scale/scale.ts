import { parseArgs } from 'node:util'
import type { Progress } from '../../src/pipeline/catch-up.ts'
import { calibrateBeside } from '../harness/calibration.ts'
import { printTable } from '../harness/measure.ts'
import type { TableSizes } from '../harness/table-sizes.ts'
import { totalCpu } from '../read/read-load.ts'
import { FirstTenthAgain } from './scale-again.ts'
import { type ReadGrowth, readInTurns } from './scale-reads.ts'
import { BULKY, joinStretches, ScaleRun, type Stretch } from './scale-run.ts'

const PARTS = 10
const PROGRESS_MS = 30_000
const INGEST_SAMPLE_MS = 15_000
/** Turns of the last tenth with a second index. */
const SLICES = 20
const LEAST_RATE = 0.9
const MOST_READ_GROWTH = 1.5

const USAGE = `npm run bench -- scale [--blocks N] [--minutes M] [--threads T] [--read-seconds S] [--folder DIR]
  also as SCALE_BLOCKS, SCALE_MINUTES, SCALE_THREADS, SCALE_READ_SECONDS, SCALE_FOLDER`

/** `unit`: what the calibration loop took meanwhile, in ms of CPU: how slow the machine was. */
type Sealed = Stretch & { sealing: number; unit: number }

/**
 * Whether an index stays as fast and as lean as it was when it was small: a generated chain of a million blocks and five million txs,
 * indexed in tenths. Each tenth is moved into segments before the next begins. The last tenth is indexed in turns with the first tenth of
 * a second index, and both are then read in turns: the speed of a machine changes within an hour. Indexing stops after `--minutes`; what was
 * measured by then is printed.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args)
  const { blocks, minutes, threads, readSeconds, folder } = options
  const startedAt = performance.now()
  const scale = await ScaleRun.open(blocks, threads, folder)
  const deadline = AbortSignal.timeout(minutes * 60_000)
  let again: FirstTenthAgain | undefined
  try {
    const parts: Sealed[] = []
    const add = async (stretch: Stretch, unit: number) => {
      parts.push({ ...stretch, unit, sealing: await scale.seal() })
      console.log(`${since(startedAt)} tenth ${parts.length}: ${rateText(parts.at(-1)!)}`)
    }
    const heightOf = (part: number) => Math.round((blocks * part) / PARTS)
    let unsealed: TableSizes | undefined
    while (parts.length < PARTS - 1 && !deadline.aborted) {
      const until = heightOf(parts.length + 1)
      const { result: stretch, unit } = await calibrateBeside(INGEST_SAMPLE_MS, () =>
        scale.indexTo(until, deadline, tellProgress(startedAt)),
      )
      if (stretch.to < until) break
      unsealed ??= await scale.sizesWithoutSegments()
      await add(stretch, unit)
    }
    if (!unsealed || deadline.aborted) {
      if (parts.length > 0) printParts(parts, threads)
      return console.log(`stopped after ${minutes} minutes at height ${scale.height} of ${blocks}: nothing can be compared`)
    }
    again = await FirstTenthAgain.start(options)
    const { result: turns, unit } = await calibrateBeside(INGEST_SAMPLE_MS, () => indexInTurns(scale, again!, heightOf(PARTS)))
    await add(turns.last, unit)
    printParts(parts, threads)
    printTurns(turns)
    const reads = await readInTurns(await again.seal(), await scale.readTarget(), readSeconds)
    printReads(reads, { short: heightOf(1), long: scale.height })
    const before = { name: 'first tenth, before segments', sizes: unsealed }
    const after = { name: 'all, with segments, as it is on disk', sizes: await scale.sizes() }
    printTables(after.sizes)
    console.log(`\n${since(startedAt)} rewriting ${BULKY.join(', ')} without dead rows`)
    const compact = { name: 'all, with segments, without dead rows', sizes: await scale.sizes({ compact: true }) }
    printSizes([before, after, compact], await scale.segmentBytes())
  } finally {
    await again?.stop()
    await scale.close()
    console.log(`\n${since(startedAt)} in all`)
  }
}

type Turns = { last: Stretch; again: Stretch }

/** The rest of the chain, slice by slice, with as many blocks from the genesis of the second index after each. */
async function indexInTurns(scale: ScaleRun, again: FirstTenthAgain, until: number): Promise<Turns> {
  const from = scale.height
  const heightOf = (slice: number) => Math.round(((until - from) * slice) / SLICES)
  const slices: Turns[] = []
  for (let slice = 1; slice <= SLICES; slice++)
    slices.push({
      last: await scale.indexTo(from + heightOf(slice), new AbortController().signal, () => {}),
      again: await again.indexTo(heightOf(slice)),
    })
  return {
    last: slices.map(({ last }) => last).reduce(joinStretches),
    again: slices.map(({ again }) => again).reduce(joinStretches),
  }
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
  const peaks = parts.map(({ peakMemory }) => peakMemory)
  console.log(
    `memory of the indexer: ${percent(last.peakMemory / first.peakMemory)} of the first tenth's, ${Math.round(Math.max(...peaks) / 1e6)} MB at most`,
  )
}

function printTurns({ last, again }: Turns): void {
  const rate = ({ txs, seconds }: Stretch) => txs / seconds
  const figures: [name: string, costOf: (stretch: Stretch) => number][] = [
    ['indexer', ({ indexer, txs }) => indexer / txs],
    ['PostgreSQL', ({ postgres, txs }) => postgres / txs],
    ['the node, which makes the chain', ({ node, txs }) => node / txs],
    ['all', ({ indexer, postgres, node, txs }) => (indexer + postgres + node) / txs],
  ]
  printTable(
    'the last tenth and the first tenth of a second index, in turns; CPU in ms per tx',
    figures.map(([name, costOf]) => ({
      name,
      first: msPer(costOf(again), 1),
      last: msPer(costOf(last), 1),
      growth: `${(costOf(last) / costOf(again)).toFixed(2)} x`,
    })),
  )
  const share = rate(last) / rate(again)
  console.log(
    `${Math.round(rate(again))} and ${Math.round(rate(last))} txs/s: the last tenth has ${percent(share)} of the first one's rate (wanted: ${percent(LEAST_RATE)} or more): ${verdict(share >= LEAST_RATE)}`,
  )
}

function printReads(rows: readonly ReadGrowth[], heights: { short: number; long: number }): void {
  printTable(
    `reads without a cache at height ${heights.short} and at ${heights.long}, in turns: requests/s · p99 ms, and CPU µs per request with PostgreSQL`,
    rows.map(({ name, short, long, growth }) => ({
      class: name,
      short: `${Math.round(short.perSecond)} · ${short.p99}`,
      long: `${Math.round(long.perSecond)} · ${long.p99}`,
      'CPU short': Math.round(totalCpu(short)),
      'CPU long': Math.round(totalCpu(long)),
      'of which PostgreSQL': `${Math.round(short.postgresCpu)} / ${Math.round(long.postgresCpu)}`,
      growth: `${growth.toFixed(2)} x`,
    })),
  )
  const grown = rows.filter(({ growth }) => growth > MOST_READ_GROWTH)
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
