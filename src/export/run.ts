import { createHash } from 'node:crypto'
import { OperatorError } from '../lib/errors.ts'
import type { ObjectStore } from '../lib/object-store/object-store.ts'
import type { Db } from '../store/db.ts'
import { type AnyDataset, type HeightRange, isState, type Row, readDataset } from '../store/export/dataset.ts'
import { readExportFacts } from '../store/export/facts.ts'
import { withFinalState } from '../store/export/final-state.ts'
import { blockHash } from '../store/read/head/head.ts'
import type { FileWriter } from './file-writer.ts'
import { commitTables } from './iceberg/commit.ts'
import type { FormatName } from './kind.ts'
import { csvFormat, ndjsonFormat } from './lines.ts'
import {
  continueManifest,
  type ExportedFile,
  type ExportedRange,
  type ExportedState,
  type Manifest,
  readManifest,
  writeManifest,
} from './manifest.ts'
import { parquetFormat } from './parquet.ts'

export type ExportOptions = {
  db: Db
  store: ObjectStore
  datasets: readonly AnyDataset[]
  format: FormatName
  heightsPerFile: number
  /** heights that may still be taken back */
  rollbackDepth: number
  /** absent: the first of the chain */
  from?: number
  /** absent: the last that is final */
  to?: number
  /** leaves the last range out until it is complete */
  wholeRanges?: boolean
  /** bytes after which a file ends and another one begins */
  fileBytes?: number
  signal: AbortSignal
  onRange?: (range: ExportedRange, target: number) => void
  onState?: (state: ExportedState) => void
}

/** A file is held in memory until it is whole. */
const FILE_BYTES = 32 * 2 ** 20

/**
 * Writes final heights that are not there yet, range by range; the manifest names a range once all of its files lie there. Who is
 * interrupted continues with the range that was not finished, and files that are written again are the same to the byte.
 */
export async function runExport(options: ExportOptions): Promise<Manifest> {
  const { db, store, datasets, format, heightsPerFile, rollbackDepth } = options
  const { chain_id, genesis_hash, first_height, last_height } = await readExportFacts(db)
  const final = last_height - rollbackDepth
  if (options.to !== undefined && options.to > final)
    throw new OperatorError('height_not_final', `height ${options.to} is not final: the last final height is ${final}`)
  const identity = {
    chain_id,
    genesis_hash,
    file_format: format,
    heights_per_file: heightsPerFile,
    datasets: Object.fromEntries(datasets.map(({ name, columns }) => [name, typesOf(columns)])),
    first_height: options.from ?? first_height,
  }
  let manifest = continueManifest(await readManifest(store), identity, store)
  await checkBranch(db, manifest, store)
  // An interrupted run is finished as it would have been: its last file ends where it was to end.
  const targets = [manifest.target_height, wholeUpTo(options.to ?? final, options)]
  for (const target of targets) {
    if (target > manifest.target_height) {
      manifest = { ...manifest, target_height: target }
      await writeManifest(store, manifest)
    }
    for (const range of rangesUpTo(manifest, target)) {
      options.signal.throwIfAborted()
      const exported = await exportRange(options, range)
      manifest = { ...manifest, ranges: [...manifest.ranges, exported] }
      await writeManifest(store, manifest)
      options.onRange?.(exported, target)
    }
  }
  manifest = await exportState(options, manifest, final)
  if (format === 'iceberg') await commitTables({ store, datasets, manifest, now: Date.now() })
  return manifest
}

const typesOf = (columns: AnyDataset['columns']) =>
  Object.fromEntries(Object.entries(columns).map(([name, [type]]) => [name, type]))

/** Final heights do not change; if they did, the files would hold two chains. */
async function checkBranch(db: Db, { ranges }: Manifest, store: ObjectStore): Promise<void> {
  const last = ranges.at(-1)
  if (!last || (await hashAt(db, last.to)) === last.block_hash) return
  throw new OperatorError(
    'other_branch',
    `${store.name} holds another block at height ${last.to} than the index: export to another place`,
  )
}

function wholeUpTo(height: number, { wholeRanges, heightsPerFile }: ExportOptions): number {
  return wholeRanges ? Math.floor((height + 1) / heightsPerFile) * heightsPerFile - 1 : height
}

/** Ranges begin at multiples of their length, except where an export begins or a run before has ended. */
function* rangesUpTo({ ranges, first_height, heights_per_file: length }: Manifest, target: number): Generator<HeightRange> {
  for (let from = (ranges.at(-1)?.to ?? first_height - 1) + 1; from <= target; ) {
    const to = Math.min(target, (Math.floor(from / length) + 1) * length - 1)
    yield { from, to }
    from = to + 1
  }
}

async function exportRange(options: ExportOptions, range: HeightRange): Promise<ExportedRange> {
  const files: ExportedFile[] = []
  for (const dataset of options.datasets)
    if (!isState(dataset))
      files.push(...(await writeFiles(options, dataset, readDataset(options.db, dataset, range), nameOf(range))))
  return { ...range, block_hash: await hashAt(options.db, range.to), files }
}

/** Zeros for the genesis pseudo-block, which has none. */
const hashAt = async (db: Db, height: number) => (await blockHash(db, height))?.padEnd(64, '0') ?? ''

/** Writes the datasets that change, unless they are there for this height; the manifest names them before the older ones go. */
async function exportState(options: ExportOptions, manifest: Manifest, final: number): Promise<Manifest> {
  const datasets = options.datasets.filter(isState)
  if (datasets.length === 0 || manifest.ranges.length === 0) return manifest
  const state = await withFinalState(options.db, final, async ({ height, read }) => {
    if (height === manifest.state?.height) return undefined
    const files: ExportedFile[] = []
    for (const dataset of datasets) files.push(...(await writeFiles(options, dataset, read(dataset), `state-${padded(height)}`)))
    return { height, files }
  })
  if (!state) return manifest
  await writeManifest(options.store, { ...manifest, state })
  // Older snapshots of tables are still read.
  if (options.format !== 'iceberg') await deleteOldState(options.store, state, datasets)
  options.onState?.(state)
  return { ...manifest, state }
}

/** Readers that take every file of a folder find one state: older ones go, also those of a run that was interrupted. */
async function deleteOldState(store: ObjectStore, { files }: ExportedState, datasets: readonly AnyDataset[]): Promise<void> {
  const kept = new Set(files.map(({ key }) => key))
  for (const { name } of datasets)
    for await (const { key } of store.list(`${name}/state-`)) if (!kept.has(key)) await store.delete(key)
}

/** `name`: of the files, without extension and number. */
async function writeFiles(
  options: ExportOptions,
  dataset: AnyDataset,
  pieces: AsyncIterable<Row[]>,
  name: string,
): Promise<ExportedFile[]> {
  const { store, signal, fileBytes = FILE_BYTES } = options
  const { extension, open } = FORMATS[options.format]
  const files: ExportedFile[] = []
  let writer: FileWriter | undefined
  let rows = 0
  const finish = async () => {
    if (!writer) return
    const bytes = await writer.finish()
    // A dataset that needs several files numbers them.
    const key = `${dataset.name}/${name}${files.length === 0 ? '' : `.${files.length}`}.${extension}`
    await store.put(key, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    files.push({ key, dataset: dataset.name, rows, bytes: bytes.length, sha256 })
    writer = undefined
    rows = 0
  }
  for await (const piece of pieces) {
    signal.throwIfAborted()
    writer ??= open(dataset)
    await writer.add(piece)
    rows += piece.length
    if (writer.bytes >= fileBytes) await finish()
  }
  await finish()
  return files
}

const padded = (height: number) => String(height).padStart(10, '0')

/** Names sort by height. */
const nameOf = ({ from, to }: HeightRange) => `${padded(from)}-${padded(to)}`

/** Formats of files; the tables of `iceberg` are files of Parquet with metadata beside them (iceberg/commit.ts). They are deterministic: equal rows give equal bytes, so a file that is written again is the same file. */
export const FORMATS = { parquet: parquetFormat, csv: csvFormat, ndjson: ndjsonFormat, iceberg: parquetFormat } satisfies Record<
  FormatName,
  unknown
>
