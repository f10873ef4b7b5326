// Turns proto/ into src/decode/gen. Run by `npm run gen`; the result is committed, so a second run changes nothing.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const out = join('src', 'decode', 'gen')

/** npm may be told to run no install scripts, so the compiler is taken from its platform package, not from a postinstall step. */
function findBuf() {
  const require = createRequire(import.meta.url)
  const name = `@bufbuild/buf-${process.platform}-${process.arch}`
  const exe = process.platform === 'win32' ? 'buf.exe' : 'buf'
  return join(dirname(require.resolve(`${name}/package.json`)), 'bin', exe)
}

const template = {
  version: 'v2',
  inputs: [{ directory: 'proto' }],
  plugins: [
    {
      local: 'protoc-gen-es',
      out,
      opt: ['target=ts', 'import_extension=ts', 'erasable_syntax=true'],
    },
  ],
}

rmSync(join(root, out), { recursive: true, force: true })
const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
execFileSync(findBuf(), ['generate', '--template', JSON.stringify(template)], {
  cwd: root,
  env: { ...process.env, PATH: path },
  stdio: 'inherit',
})
