import { type AvroField, type AvroSchema, writeAvroFile } from './avro.ts'

/** A data file of a table. */
export type DataFile = { path: string; rows: number; bytes: number }

/** A manifest as lists of manifests name it. */
export type ManifestEntry = { path: string; length: number; files: number; rows: number; sequence: number; snapshot: string }

const field = (id: number, name: string, type: AvroSchema): AvroField => ({ name, type, 'field-id': id })
const optional = (id: number, name: string, type: AvroSchema): AvroField => ({
  name,
  type: ['null', type],
  'field-id': id,
  default: null,
})

/** Fields of format version 2 that are required, by their ids in the specification of Iceberg. Tables are not partitioned. */
const ENTRY: AvroSchema = {
  type: 'record',
  name: 'manifest_entry',
  fields: [
    field(0, 'status', 'int'),
    optional(1, 'snapshot_id', 'long'),
    optional(3, 'sequence_number', 'long'),
    optional(4, 'file_sequence_number', 'long'),
    field(2, 'data_file', {
      type: 'record',
      name: 'r2',
      fields: [
        field(134, 'content', 'int'),
        field(100, 'file_path', 'string'),
        field(101, 'file_format', 'string'),
        field(102, 'partition', { type: 'record', name: 'r102', fields: [] }),
        field(103, 'record_count', 'long'),
        field(104, 'file_size_in_bytes', 'long'),
      ],
    }),
  ],
}

const LIST: AvroSchema = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    field(500, 'manifest_path', 'string'),
    field(501, 'manifest_length', 'long'),
    field(502, 'partition_spec_id', 'int'),
    field(517, 'content', 'int'),
    field(515, 'sequence_number', 'long'),
    field(516, 'min_sequence_number', 'long'),
    field(503, 'added_snapshot_id', 'long'),
    field(504, 'added_files_count', 'int'),
    field(505, 'existing_files_count', 'int'),
    field(506, 'deleted_files_count', 'int'),
    field(512, 'added_rows_count', 'long'),
    field(513, 'existing_rows_count', 'long'),
    field(514, 'deleted_rows_count', 'long'),
  ],
}

const ADDED = 1
const DATA = 0

/** Sequence numbers are those of the snapshot that the list gives to the manifest. */
export function writeManifestFile(schema: object, snapshot: string, files: readonly DataFile[]): Buffer {
  const metadata = {
    schema: JSON.stringify(schema),
    'schema-id': '0',
    'partition-spec': '[]',
    'partition-spec-id': '0',
    'format-version': '2',
    content: 'data',
  }
  return writeAvroFile(
    ENTRY,
    metadata,
    files.map(({ path, rows, bytes }) => ({
      status: ADDED,
      snapshot_id: BigInt(snapshot),
      sequence_number: null,
      file_sequence_number: null,
      data_file: {
        content: DATA,
        file_path: path,
        file_format: 'PARQUET',
        partition: {},
        record_count: rows,
        file_size_in_bytes: bytes,
      },
    })),
  )
}

export function writeManifestList(snapshot: string, sequence: number, manifests: readonly ManifestEntry[]): Buffer {
  const metadata = { 'snapshot-id': snapshot, 'sequence-number': String(sequence), 'format-version': '2' }
  return writeAvroFile(
    LIST,
    metadata,
    manifests.map((manifest) => ({
      manifest_path: manifest.path,
      manifest_length: manifest.length,
      partition_spec_id: 0,
      content: DATA,
      sequence_number: manifest.sequence,
      min_sequence_number: manifest.sequence,
      added_snapshot_id: BigInt(manifest.snapshot),
      added_files_count: manifest.files,
      existing_files_count: 0,
      deleted_files_count: 0,
      added_rows_count: manifest.rows,
      existing_rows_count: 0,
      deleted_rows_count: 0,
    })),
  )
}
