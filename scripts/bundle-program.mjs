// Makes build/program, which is what runs: the sources and the libraries of many small modules, as few large files. Node takes longer to find, open and link a
// module than to run it.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { BUNDLED, OPTIONAL } from './bundle-packages.mjs'
import { root } from './stamp.mjs'

const target = join(root, 'build/program')
const WORKER = /new Worker\(new URL\('\.\/([^']+)\.js', import\.meta\.url\)/g

/** The command line and every thread. A thread is found by its name beside the file that starts it, so all files are in one folder. */
function findEntries() {
  const entries = { main: join(root, 'src/cli/main.ts') }
  for (const name of readdirSync(join(root, 'src'), { recursive: true })) {
    if (!name.endsWith('.ts')) continue
    const file = join(root, 'src', name)
    for (const [, worker] of readFileSync(file, 'utf8').matchAll(WORKER)) {
      if (entries[worker]) throw new Error(`${name}: there are two threads of the name ${worker}`)
      entries[worker] = join(dirname(file), `${worker}.ts`)
    }
  }
  return entries
}

const isPackage = (id) => /^[@a-z]/.test(id)
const isBundled = (id) => BUNDLED.some((name) => id === name || id.startsWith(`${name}/`))

export async function bundleProgram() {
  rmSync(target, { recursive: true, force: true })
  const bundle = await rolldown({
    input: findEntries(),
    cwd: root,
    platform: 'node',
    // Imports of a bundled library are bundled too: the installed copy that the program finds may be of another version.
    external: (id, importer) =>
      OPTIONAL.includes(id) || (isPackage(id) && !isBundled(id) && !importer?.includes('/node_modules/')),
    logLevel: 'silent',
  })
  const { output } = await bundle.write({
    dir: target,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  writeFileSync(join(target, 'LICENSES'), licensesOf(output.flatMap(({ moduleIds }) => moduleIds ?? [])))
}

/** Whoever passes the libraries on passes on these too. */
function licensesOf(modules) {
  const folders = new Set(modules.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
