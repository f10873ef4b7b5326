import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packagePath } from '../../src/lib/package-path.ts'

/** Folders whose tests neither start programs nor change their own process. To load the program takes longer than most of them. */
const QUIET = ['build/src/', 'build/test/cases/', 'build/test/conformance/']
/** Hooks that would meet the tests of other files too. */
const HOOK_FOR_EACH = /^(?:beforeEach|afterEach)\(/m
const FILES_PER_PROCESS = 12

/**
 * Hands over what to run in the place of `files`: those of quiet folders in groups, one process each, the others as they are. The files of a group are imported before
 * the first test runs.
 */
export async function withGroups<T>(files: readonly string[], run: (files: string[]) => Promise<T>): Promise<T> {
  const isQuiet = (file: string) =>
    QUIET.some((folder) => file.startsWith(folder)) && !HOOK_FOR_EACH.test(readFileSync(packagePath(file), 'utf8'))
  const quiet = files.filter(isQuiet)
  mkdirSync(packagePath('build/test-groups'), { recursive: true })
  const folder = mkdtempSync(packagePath('build/test-groups/run-'))
  try {
    const groups: string[] = []
    for (let from = 0; from < quiet.length; from += FILES_PER_PROCESS) {
      const group = join(folder, `${String(groups.length).padStart(2, '0')}.test.js`)
      const imports = quiet.slice(from, from + FILES_PER_PROCESS).map((file) => `import '${pathToFileURL(packagePath(file))}'\n`)
      writeFileSync(group, imports.join(''))
      groups.push(group)
    }
    return await run([...files.filter((file) => !isQuiet(file)), ...groups])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
