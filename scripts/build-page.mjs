// Builds the page in web/ into build/page. Does nothing when no source is newer than what was built.
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'build', 'page', '.built')
const sources = ['web', 'src/client', 'scripts/build-page.mjs', 'package-lock.json']

function newestOf(path) {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  // The folder itself too: a file that was taken away changes nothing else.
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestOf(join(path, name))))
}

function builtAt() {
  try {
    return statSync(stamp).mtimeMs
  } catch {
    return 0
  }
}

const startedAt = new Date()
if (process.argv.includes('--force') || Math.max(...sources.map((path) => newestOf(join(root, path)))) > builtAt()) {
  const { build } = await import('vite')
  await build({ configFile: join(root, 'web', 'vite.config.mjs'), logLevel: 'error' })
  writeFileSync(stamp, '')
  // What was changed while it was built is newer.
  utimesSync(stamp, startedAt, startedAt)
}
