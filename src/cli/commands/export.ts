import { type Command, Option } from 'commander'
import { schemaOf } from '../../config/schema.ts'
import { checkExport } from '../../export/check.ts'
import { FORMAT_NAMES, type FormatName } from '../../export/kind.ts'
import { runExport } from '../../export/run.ts'
import { OperatorError } from '../../lib/errors.ts'
import { openObjectStore } from '../../lib/object-store/open.ts'
import { openReader } from '../../store/db.ts'
import type { AnyDataset } from '../../store/export/dataset.ts'
import { DATASETS } from '../../store/export/datasets.ts'
import { readExportFacts } from '../../store/export/facts.ts'
import { ProgressLine } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import { openDatabase } from '../wiring/database.ts'
import { explainNotIndexed } from '../wiring/missing-tables.ts'
import { type CommonOptions, configOf, networkOf, readCount, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'
import { segmentReaderOf } from '../wiring/segments.ts'

type ExportCommandOptions = CommonOptions & {
  format: FormatName
  datasets?: string[]
  heightsPerFile: number
  from?: number
  to?: number
  whole?: boolean
  check?: boolean
}

const HEIGHTS_PER_FILE = 10_000

export function registerExportCommand(program: Command): void {
  withCommonOptions(
    program
      .command('export')
      .argument('<place>', 'folder, or bucket as s3://bucket/prefix (settings object_storage)')
      .description(
        'write the final heights of a network as Parquet, CSV, NDJSON or Iceberg tables; run it again to add what is new',
      ),
  )
    .option('--network <name>', 'network of the configuration (default: the main one)')
    .addOption(new Option('--format <format>', 'of the files').choices(FORMAT_NAMES).default('parquet'))
    .option('--datasets <names...>', `some of ${DATASETS.map(({ name }) => name).join(', ')} (default: all)`)
    .option('--heights-per-file <count>', 'heights of a file; ranges begin at its multiples', readCount, HEIGHTS_PER_FILE)
    .option('--from <height>', 'first height (default: the first of the index)', readCount)
    .option('--to <height>', 'last height (default: the last that is final)', readCount)
    .option('--whole', 'only complete ranges: the last one waits until all of its heights are final')
    .option('--check', 'only compare the files that are there with the checksums of the manifest')
    .action((place: string, options: ExportCommandOptions) => {
      const config = configOf(options)
      return runCommand(config.log_level, async ({ signal, log }) => {
        const store = openObjectStore(place, config.object_storage)
        if (options.check) {
          const { files, rows, bytes } = await checkExport(store, signal)
          process.stdout.write(`${store.name}: ${files} files with ${rows} rows, ${toMegabytes(bytes)} MB, all as exported\n`)
          return
        }
        const chosen = chooseDatasets(options.datasets)
        if (options.heightsPerFile < 1) throw new OperatorError('bad_option', '--heights-per-file must be 1 or more')
        const network = networkOf(config, options.network)
        const database = await openDatabase(config)
        const db = openReader({
          url: database.urlOf(network),
          schema: schemaOf(network),
          max: 2,
          statementTimeoutMs: 0,
          segments: segmentReaderOf(config, network),
        })
        const progress = new ProgressLine('export', log)
        const totals = new Map<string, Total>()
        try {
          const datasets = (await readExportFacts(db)).has_state ? (chosen ?? DATASETS) : withoutState(chosen)
          const { ranges } = await runExport({
            db,
            store,
            datasets,
            format: options.format,
            heightsPerFile: options.heightsPerFile,
            rollbackDepth: config.indexing.max_rollback_depth,
            ...(options.from !== undefined && { from: options.from }),
            ...(options.to !== undefined && { to: options.to }),
            wholeRanges: options.whole ?? false,
            signal,
            onRange: ({ from, to, files }, target) => {
              for (const { dataset, rows, bytes } of files) addTo(totals, dataset, rows, bytes)
              progress.show({ height: to, target, blocks: to - from + 1 })
            },
            onState: ({ files }) => {
              for (const { dataset, rows, bytes } of files) addTo(totals, dataset, rows, bytes)
            },
          })
          progress.end()
          process.stdout.write(describe(totals, ranges.at(-1)?.to, store.name))
        } catch (error) {
          throw explainNotIndexed(network, error)
        } finally {
          progress.end()
          await db.end()
          await database.stop()
        }
      })
    })
}

type Total = { files: number; rows: number; bytes: number }

function addTo(totals: Map<string, Total>, name: string, rows: number, bytes: number): void {
  const { files: f, rows: r, bytes: b } = totals.get(name) ?? { files: 0, rows: 0, bytes: 0 }
  totals.set(name, { files: f + 1, rows: r + rows, bytes: b + bytes })
}

function chooseDatasets(names: readonly string[] | undefined): readonly AnyDataset[] | undefined {
  if (!names) return undefined
  return names
    .flatMap((name) => name.split(','))
    .map((name) => {
      const found = DATASETS.find((dataset) => dataset.name === name)
      if (!found)
        throw new OperatorError(
          'unknown_dataset',
          `there is no dataset ${name}: choose of ${DATASETS.map((d) => d.name).join(', ')}`,
        )
      return found
    })
}

/** Datasets of an index that began without state: all of them, or the chosen ones. */
function withoutState(chosen: readonly AnyDataset[] | undefined): readonly AnyDataset[] {
  const refused = chosen?.find(({ needsState }) => needsState !== false)
  if (refused)
    throw new OperatorError('no_state', `this index began without the state of the chain: it has no dataset ${refused.name}`)
  return chosen ?? DATASETS.filter(({ needsState }) => needsState === false)
}

function describe(totals: ReadonlyMap<string, Total>, last: number | undefined, place: string): string {
  if (totals.size === 0)
    return last === undefined
      ? 'no height is final yet: there is nothing to export\n'
      : `${place} is up to date: its last height is ${last}\n`
  const rows = [...totals].map(([dataset, { files, rows, bytes }]) => ({
    dataset,
    'new files': files,
    rows,
    MB: toMegabytes(bytes),
  }))
  return `${formatTable(rows)}${place} holds all heights up to ${last}\n`
}

const toMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
