// Makes build/packages for tests and benches, which load compiled files one by one: libraries of hundreds of small modules as a few large ones. Node 20 keeps no
// compiled code, and to find, open and link each module costs more CPU than what is in it: `typebox` alone takes 380 ms as it is installed, 25 ms from here.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './stamp.mjs'

/** All that share types or objects with each other are here together: a bundle and an installed copy of one library would not know each other's classes. */
export const BUNDLED = [
  'typebox',
  '@bufbuild/protobuf',
  '@modelcontextprotocol/sdk',
  'viem',
  'mppx',
  '@x402/core',
  '@x402/evm',
  '@x402/extensions',
]
/** Parts of a WebSocket library that need not be there. */
export const OPTIONAL = ['bufferutil', 'utf-8-validate']

const target = join(root, 'build/packages')
const IMPORT = new RegExp(`(\\bfrom |\\bimport\\()(["'])((?:${BUNDLED.join('|')})(?:/[^"']+)?)\\2`, 'g')

/** Imports of bundled libraries in a file. */
export const bundledImportsOf = (source) => [...source.matchAll(IMPORT)].map((match) => match[3])

/** The code of a compiled file with these imports pointed at the bundles. */
export function importBundles(code, file) {
  const pathOf = (name) => relative(dirname(file), join(target, fileOf(name)))
  return code.replaceAll(IMPORT, (_, before, quote, name) => `${before}${quote}${pathOf(name)}${quote}`)
}

const fileOf = (name) => `${name.replace(/\.js$/, '')}.js`

/** Bundles what these imports name, unless that has been done since the libraries were installed. */
export async function bundlePackages(names, installedAt) {
  const wanted = JSON.stringify({ names: [...names].sort(), installedAt })
  const stamp = join(target, '.made')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  rmSync(target, { recursive: true, force: true })
  const bundle = await rolldown({
    input: Object.fromEntries([...names].map((name) => [fileOf(name).slice(0, -'.js'.length), name])),
    cwd: root,
    platform: 'node',
    external: OPTIONAL,
    logLevel: 'silent',
  })
  await bundle.write({ dir: target, format: 'esm', chunkFileNames: 'shared/[name]-[hash].js' })
  mkdirSync(target, { recursive: true })
  writeFileSync(stamp, wanted)
}
