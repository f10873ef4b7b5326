import { dirname, join } from 'node:path'
import { listTexts, readText } from './repository.ts'

export type SourceFile = {
  path: string
  text: string
  /** files of the repository that it imports, types included */
  imports: string[]
  /** packages and modules of Node that it imports */
  packages: string[]
}

const IMPORT =
  /^\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|\bnew URL\(\s*'(\.[^']+\.ts)'/gm
/** Tests, and what only tests use, stand beside the code but are not part of it. */
const FOR_TESTS = /\.(test|case)\.ts$|\/testing\.ts$/

/** Every TypeScript file below a folder that is not there for tests only. */
export function readSources(folder: 'src' | 'web' | 'bench'): SourceFile[] {
  return listTexts()
    .filter((path) => path.startsWith(`${folder}/`) && /\.tsx?$/.test(path) && !FOR_TESTS.test(path))
    .map((path) => {
      const text = readText(path)
      const targets = [...text.matchAll(IMPORT)].map(([, plain, lazy, url]) => (plain ?? lazy ?? url)!)
      return {
        path,
        text,
        imports: targets.filter((target) => target.startsWith('.')).map((target) => join(dirname(path), target)),
        packages: targets.filter((target) => !target.startsWith('.')),
      }
    })
}

/** Groups of files that import each other, directly or over others. */
export function findCycles(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): string[][] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]))
  const isFinished = new Set<string>()
  const cycles: string[][] = []
  const walk = (path: string, trail: readonly string[]): void => {
    if (isFinished.has(path)) return
    const at = trail.indexOf(path)
    if (at >= 0) {
      cycles.push([...trail.slice(at), path])
      return
    }
    for (const target of importsOf.get(path) ?? []) walk(target, [...trail, path])
    isFinished.add(path)
  }
  for (const { path } of files) walk(path, [])
  return cycles
}
