import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packagePath } from '../../src/lib/package-path.ts'

/** Hands the address of the run's PostgreSQL to test files: whoever uses the server has to read it. */
export const SERVER_VARIABLE = 'ASTROLABE_TEST_POSTGRES'

/** Gives databases that are cloned from the templates. */
const CLONES = 'build/test/support/database.js'

/** Campaigns: many kills, long fuzz, every page at every width. They run only when asked for, each with a short form in the default run. */
const isCampaign = (file: string): boolean => file.endsWith('.long.test.js')

/** Has tests or cases of the long run beside those of every run. */
const hasLongTests = (file: string): boolean => [...reach([file]).values()].some((text) => /\b(longTest|fewOf)\(/.test(text))

/** Compiled test files whose path contains one of the filters: the long ones, or all others. What is left of a source that is gone does not count. */
export function findTestFiles(filters: readonly string[], { long = false } = {}): string[] {
  return ['build/src', 'build/test', 'build/web/src']
    .flatMap((folder) => readdirSync(packagePath(folder), { recursive: true }).map((name) => join(folder, String(name))))
    .filter((name) => name.endsWith('.test.js') && (filters.length === 0 || filters.some((filter) => name.includes(filter))))
    .filter((name) => existsSync(packagePath(name.replace(/^build\//, '').replace(/\.js$/, '.ts'))))
    .filter((name) => isCampaign(name) === long || (long && hasLongTests(name)))
    .sort()
}

export type Needs = { server: boolean; templates: boolean }

/** Needs of the files, found from everything they import. Types are gone from compiled files, so they ask for nothing. */
export function findNeeds(files: readonly string[]): Needs {
  const reached = reach(files)
  return {
    server: [...reached.values()].some((text) => text.includes(`process.env.${SERVER_VARIABLE}`)),
    templates: reached.has(CLONES),
  }
}

/** Unit tests: those beside the code, and of the structure of the repository, that run without a server. */
export const isUnitTest = (file: string): boolean =>
  /^build\/(src|web\/src|test\/structure)\//.test(file) && !findNeeds([file]).server

const IMPORT = /^\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]\s*\)/gm
const texts = new Map<string, string>()

/** Texts of the files and of all that they import, by path. */
function reach(files: readonly string[]): Map<string, string> {
  const reached = new Map<string, string>()
  const waiting = [...files]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue
    const text = readOnce(path)
    reached.set(path, text)
    const imports = [...text.matchAll(IMPORT)].map(([, plain, lazy]) => join(dirname(path), (plain ?? lazy)!))
    waiting.push(...imports.filter((name) => !name.startsWith('build/packages/')))
  }
  return reached
}

function readOnce(path: string): string {
  let text = texts.get(path)
  if (text === undefined) texts.set(path, (text = readFileSync(packagePath(path), 'utf8')))
  return text
}
