// Whether something has to be built again: by the newest time below its sources.
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** Files that decide how libraries are bundled and code is compiled: a change of one rebuilds everything. */
export const LIBRARY_RECIPE = ['scripts/bundle-packages.mjs', 'tsconfig.json', 'package-lock.json']

function newestOf(path) {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  // The folder itself too: a file that was removed changes nothing else.
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestOf(join(path, name))))
}

/** When a file below the root was written, 0 if there is none. */
export function builtAt(name) {
  return statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Runs `build` when a source is newer than the stamp, or with --force. `what` is shown while it runs. */
export async function buildIfStale(stampName, sources, what, build) {
  const stamp = join(root, stampName)
  const newest = Math.max(...sources.map((path) => newestOf(join(root, path))))
  if (!process.argv.includes('--force') && newest <= builtAt(stampName)) return
  const startedAt = new Date()
  process.stderr.write(`building ${what} …`)
  await build()
  process.stderr.write(` ${((Date.now() - startedAt.getTime()) / 1000).toFixed(1)} s\n`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, '')
  // Files that changed during the build are newer than the stamp.
  utimesSync(stamp, startedAt, startedAt)
}
