import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('package.json not found above this file')
    folder = parent
  }
  return folder
}

const root = findRoot()

/** A path inside the package: SQL files and recordings are not compiled, so they are found from the package root. */
export function packagePath(...parts: string[]): string {
  return join(root, ...parts)
}
