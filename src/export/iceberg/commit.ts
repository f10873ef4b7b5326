import { OperatorError } from '../../lib/errors.ts'
import type { ObjectStore } from '../../lib/object-store/object-store.ts'
import { type AnyDataset, isState } from '../../store/export/dataset.ts'
import { filesOf, type Manifest } from '../manifest.ts'
import { writeManifestFile, writeManifestList } from './manifests.ts'
import { metadataOf, schemaOf, snapshotId, type TableState } from './table.ts'

/** The catalogue: which version of each table belongs to one state of the export. */
type Catalogue = { last_height: number; tables: Record<string, TableState & { metadata: string }> }

export const CATALOGUE_KEY = 'catalogue.json'
const CATALOGUE_BYTES = 256 * 2 ** 20

/** Old snapshots that a table keeps. */
const SNAPSHOTS = 100

export type CommitOptions = {
  store: ObjectStore
  datasets: readonly AnyDataset[]
  manifest: Manifest
  now: number
}

/**
 * Commits the files of an export as a snapshot of each table that has new ones. Everything is written under new names first; then the catalogue
 * names it, and last the version hint of each table. A run that ends in between leaves what readers had, and the next one repeats it.
 */
export async function commitTables(options: CommitOptions): Promise<void> {
  const { store, datasets, manifest } = options
  const before = await readCatalogue(store)
  const tables: Catalogue['tables'] = {}
  for (const dataset of datasets) {
    const old = before?.tables[dataset.name]
    const files = filesOf(manifest).filter((file) => file.dataset === dataset.name)
    const isNew = !old || files.length !== old.files.length || files.some(({ key }, i) => key !== old.files[i])
    tables[dataset.name] = isNew ? await commitTable(options, dataset, old, files) : old
  }
  const last_height = manifest.ranges.at(-1)?.to ?? -1
  if (JSON.stringify(tables) !== JSON.stringify(before?.tables))
    await store.put(CATALOGUE_KEY, Buffer.from(`${JSON.stringify({ last_height, tables }, null, 2)}\n`))
  for (const [name, { version }] of Object.entries(tables))
    await store.put(`${name}/metadata/version-hint.text`, Buffer.from(String(version)))
}

async function commitTable(
  { store, manifest, now }: CommitOptions,
  dataset: AnyDataset,
  old: TableState | undefined,
  files: readonly { key: string; rows: number; bytes: number }[],
): Promise<Catalogue['tables'][string]> {
  const folder = `${dataset.name}/metadata`
  // A path or `s3://bucket/prefix`, as readers take it.
  const location = store.name
  const version = (old?.version ?? 0) + 1
  const put = async (key: string, bytes: Uint8Array) => {
    await store.put(key, bytes)
    return `${location}/${key}`
  }
  const keys = files.map(({ key }) => key)
  const snapshots = [...(old?.snapshots ?? [])]
  const known = new Set(isState(dataset) ? [] : old?.files)
  let manifests = old?.manifests ?? []
  const added = files.filter(({ key }) => !known.has(key))
  if (added.length > 0 || isState(dataset)) {
    const last = snapshots.at(-1)
    const sequence = (last?.sequence ?? 0) + 1
    const id = snapshotId(keys, sequence)
    if (isState(dataset)) manifests = []
    if (added.length > 0) {
      const data = added.map(({ key, rows, bytes }) => ({ path: `${location}/${key}`, rows, bytes }))
      const bytes = writeManifestFile(schemaOf(dataset), id, data)
      const path = await put(`${folder}/${id}-m0.avro`, bytes)
      const rows = data.reduce((sum, file) => sum + file.rows, 0)
      manifests = [...manifests, { path, length: bytes.length, files: data.length, rows, sequence, snapshot: id }]
    }
    const list = await put(`${folder}/snap-${id}.avro`, writeManifestList(id, sequence, manifests))
    snapshots.push({
      id,
      sequence,
      millis: Math.max(now, (last?.millis ?? 0) + 1),
      operation: isState(dataset) && last ? 'overwrite' : 'append',
      list,
      files: files.length,
      rows: files.reduce((sum, file) => sum + file.rows, 0),
    })
  }
  const table = { version, files: keys, manifests, snapshots: snapshots.slice(-SNAPSHOTS) }
  const text = metadataOf(dataset, `${location}/${dataset.name}`, manifest.genesis_hash, table)
  const metadata = await put(`${folder}/v${version}.metadata.json`, Buffer.from(text))
  return { ...table, metadata }
}

async function readCatalogue(store: ObjectStore): Promise<Catalogue | undefined> {
  const bytes = await store.getRange(CATALOGUE_KEY, 0, CATALOGUE_BYTES)
  if (!bytes) return undefined
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as Catalogue
  } catch (error) {
    throw new OperatorError('bad_catalogue', `${CATALOGUE_KEY} in ${store.name} cannot be read: ${(error as Error).message}`)
  }
}
