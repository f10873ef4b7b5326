// Whether something has to be built again: by the newest time below its sources.
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

function newestOf(path) {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  // The folder itself too: a file that was taken away changes nothing else.
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestOf(join(path, name))))
}

function builtAt(stamp) {
  try {
    return statSync(stamp).mtimeMs
  } catch {
    return 0
  }
}

/** Runs `build` when a source is newer than the stamp, or with --force. */
export async function buildIfStale(stampName, sources, build) {
  const stamp = join(root, stampName)
  const newest = Math.max(...sources.map((path) => newestOf(join(root, path))))
  if (!process.argv.includes('--force') && newest <= builtAt(stamp)) return
  const startedAt = new Date()
  await build()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, '')
  // What was changed while it was built is newer.
  utimesSync(stamp, startedAt, startedAt)
}
