import { createHash } from 'node:crypto'
import { OperatorError } from '../lib/errors.ts'
import type { ObjectStore } from '../lib/object-store/object-store.ts'
import { filesOf, readManifest } from './manifest.ts'

export type CheckedExport = { files: number; rows: number; bytes: number }

/** Reads every file that a manifest names and compares its checksum. Throws with the first that differs. */
export async function checkExport(store: ObjectStore, signal: AbortSignal): Promise<CheckedExport> {
  const manifest = await readManifest(store)
  if (!manifest) throw new OperatorError('no_export', `${store.name} holds no export`)
  const checked = { files: 0, rows: 0, bytes: 0 }
  for (const { key, rows, bytes: size, sha256 } of filesOf(manifest)) {
    signal.throwIfAborted()
    // A byte more, by which one that has grown differs.
    const bytes = await store.getRange(key, 0, size + 1)
    if (!bytes) throw new OperatorError('file_missing', `${key} is missing in ${store.name}`)
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new OperatorError('file_changed', `${key} in ${store.name} is not the file that was exported: its checksum differs`)
    checked.files++
    checked.rows += rows
    checked.bytes += bytes.length
  }
  return checked
}
