import { createHash } from 'node:crypto'
import type { AnyDataset, ColumnKind } from '../../store/export/dataset.ts'
import { columnsOf } from '../kind.ts'
import type { ManifestEntry } from './manifests.ts'

/** A snapshot of a table with its list of manifests. */
export type Snapshot = {
  id: string
  sequence: number
  millis: number
  operation: 'append' | 'overwrite'
  list: string
  files: number
  rows: number
}

/** A table as the catalogue keeps it, with the keys of the data files and the manifests of its last snapshot. */
export type TableState = { version: number; files: string[]; manifests: ManifestEntry[]; snapshots: Snapshot[] }

const TYPES: Record<ColumnKind, string> = {
  int64: 'long',
  double: 'double',
  boolean: 'boolean',
  text: 'string',
  json: 'string',
  list: 'string',
  address: 'string',
  digits: 'string',
  hex: 'binary',
  base64: 'binary',
  time: 'timestamptz',
  decimal: 'decimal(38, 0)',
  fraction: 'decimal(38, 18)',
}

/** Iceberg's reader for batches in Spark (1.9.2) refuses numbers that are stored as differences; the one for rows reads them. */
const READER = { 'read.parquet.vectorization.enabled': 'false' }

/** Ids are those of the columns in the Parquet files. */
export function schemaOf(dataset: AnyDataset) {
  const fields = columnsOf(dataset).map(({ name, kind, isOptional, about }, i) => ({
    id: i + 1,
    name,
    required: !isOptional,
    type: TYPES[kind],
    doc: about,
  }))
  return { type: 'struct', 'schema-id': 0, fields }
}

/** Metadata of a table (format version 2). */
export function metadataOf(dataset: AnyDataset, location: string, genesisHash: string, { snapshots }: TableState): string {
  const schema = schemaOf(dataset)
  const last = snapshots.at(-1)
  const metadata = {
    'format-version': 2,
    'table-uuid': uuidOf(`${genesisHash} ${dataset.name}`),
    location,
    'last-sequence-number': last?.sequence ?? 0,
    'last-updated-ms': last?.millis ?? 0,
    'last-column-id': schema.fields.length,
    'current-schema-id': 0,
    schemas: [schema],
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    'last-partition-id': 999,
    'default-sort-order-id': 0,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    properties: { comment: dataset.about, ...READER },
    'current-snapshot-id': last ? RAW(last.id) : -1,
    refs: last ? { main: { 'snapshot-id': RAW(last.id), type: 'branch' } } : {},
    snapshots: snapshots.map(({ id, sequence, millis, operation, list, files, rows }) => ({
      'snapshot-id': RAW(id),
      'sequence-number': sequence,
      'timestamp-ms': millis,
      'manifest-list': list,
      'schema-id': 0,
      summary: {
        operation,
        'total-data-files': String(files),
        'total-records': String(rows),
      },
    })),
    'snapshot-log': snapshots.map(({ id, millis }) => ({ 'snapshot-id': RAW(id), 'timestamp-ms': millis })),
    'metadata-log': [],
  }
  return `${JSON.stringify(metadata, null, 2).replace(/"raw:(\d+)"/g, '$1')}\n`
}

/** A 64-bit number, which no JavaScript number is: written without its quotes. */
const RAW = (digits: string) => `raw:${digits}`

const uuidOf = (text: string) =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-5$3-8$4-$5')

/** Positive, and the same for the same files. */
export const snapshotId = (files: readonly string[], sequence: number) =>
  String(
    createHash('sha256')
      .update(`${sequence}\n${files.join('\n')}`)
      .digest()
      .readBigUInt64BE() >> 1n,
  )
