import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import { fileOf, type Manifest } from './manifest.ts'

/** Reads every file once and compares it with the manifest, before anything of it is used. */
export async function checkFiles(folder: string, { tables }: Manifest, signal: AbortSignal): Promise<void> {
  for (const table of tables) {
    const file = join(folder, fileOf(table))
    const hash = createHash('sha256')
    let bytes = 0
    try {
      for await (const chunk of createReadStream(file, { signal })) {
        hash.update(chunk as Buffer)
        bytes += (chunk as Buffer).length
      }
    } catch (error) {
      signal.throwIfAborted()
      throw new OperatorError('damaged_snapshot', `a file of the snapshot cannot be read: ${(error as Error).message}`, {}, error)
    }
    if (bytes !== table.bytes)
      throw new OperatorError('damaged_snapshot', `${file} is damaged: it has ${bytes} bytes, the manifest says ${table.bytes}`)
    if (hash.digest('hex') !== table.sha256)
      throw new OperatorError('damaged_snapshot', `${file} is damaged: its checksum is not the one of the manifest`)
  }
}
