import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath } from '../../src/lib/package-path.ts'

const FOLDERS = ['src', 'test', 'bench', 'scripts', 'web', 'docs', 'examples', 'ops', 'proto']
const TEXT = /\.(ts|tsx|mjs|js|md|json|yml|sql|css|html|proto|service|sh)$/
/** Written by a tool, or recorded from elsewhere. */
const NOT_OURS = /(^|\/)(gen|node_modules|dist)\/|\.ndjson|^proto\/(?!celestia)|^web\/dist\//

/** Paths of every text file that people write here, from the root of the repository. */
export function listTexts(): string[] {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(packagePath(folder), { recursive: true }).map((name) => join(folder, String(name))),
  )
  const atRoot = readdirSync(packagePath())
  return [...atRoot, ...inFolders]
    .filter((path) => TEXT.test(path) && !NOT_OURS.test(path) && path !== 'package-lock.json')
    .sort()
}

export const readText = (path: string): string => readFileSync(packagePath(path), 'utf8')
