import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packagePath } from '../../src/lib/package-path.ts'

/** The longest files start first, so that nothing is left to wait for at the end. */
const LONG = ['test/browser/recorded', 'test/browser/live']

/** Tests that measure or change their own process, or share a browser among themselves: a process for each file. */
const ALONE = ['test/browser', 'test/live/slow', 'test/support']

/** Folders whose tests stand beside the code. */
const UNITS = ['src/', 'web/src/']

/** Few and large groups: a process takes seconds of CPU before its first test. */
const FILES_PER_PROCESS = 24
/** Tests beside the code are short. */
const UNITS_PER_PROCESS = 100

/**
 * Hands over what to run in the place of `files`: most of them in groups, one process each, since loading the program takes longer
 * than most tests. Node's runner sorts by name, so the names say what comes first.
 */
export async function withGroups<T>(files: readonly string[], run: (files: string[]) => Promise<T>): Promise<T> {
  mkdirSync(packagePath('build/test-groups'), { recursive: true })
  const folder = mkdtempSync(packagePath('build/test-groups/run-'))
  try {
    const paths = groupFiles(files).map((members, i) => {
      const path = join(folder, `${String(i).padStart(2, '0')}.test.js`)
      writeFileSync(path, sourceOf(members))
      return path
    })
    return await run(paths)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function groupFiles(files: readonly string[]): string[][] {
  const isIn = (places: readonly string[]) => (file: string) => places.some((place) => file.startsWith(`build/${place}`))
  const long = LONG.flatMap((place) => files.filter(isIn([place])))
  const alone = files.filter((file) => isIn(ALONE)(file) && !long.includes(file))
  const units = files.filter(isIn(UNITS))
  const folders = new Map<string, string[]>()
  for (const file of files.filter((file) => !isIn([...ALONE, ...UNITS])(file)))
    folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file])
  const large = [...folders.values()].filter((members) => members.length >= FILES_PER_PROCESS)
  const small = [...folders.values()].filter((members) => members.length < FILES_PER_PROCESS).flat()
  const groups = [...[small, ...large].flatMap((members) => deal(members, FILES_PER_PROCESS)), ...deal(units, UNITS_PER_PROCESS)]
  return [...long.map((file) => [file]), ...groups, ...alone.map((file) => [file])]
}

/** Neighbours resemble each other, also in how long they take: they go to different groups. */
function deal(files: readonly string[], perProcess: number): string[][] {
  const count = Math.ceil(files.length / perProcess)
  return Array.from({ length: count }, (_, group) => files.filter((_, i) => i % count === group))
}

/** Files are imported before the first test runs. Each is a suite: its hooks run around its own tests only. */
const sourceOf = (files: readonly string[]): string => `import { after, describe } from 'node:test'
import { closeAll } from '${urlOf('build/test/support/close-afterwards.js')}'
${files.map((file) => `describe('${file}', () => { after(closeAll); return import('${urlOf(file)}') })`).join('\n')}
`

const urlOf = (file: string): string => pathToFileURL(packagePath(file)).href
