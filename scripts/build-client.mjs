// Makes build/client: the typed client as its own package, without dependencies, to be packed, published or installed from its folder.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale, root } from './stamp.mjs'

const target = join(root, 'build/client')
const ENTRIES = { '.': 'client', './live': 'live', './verify': 'verify', './types': 'gen/operations' }

await buildIfStale(
  'build/client/.built',
  ['src/client', 'scripts/build-client.mjs', 'package.json', 'tsconfig.json'],
  'the typed client',
  async () => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { status } = spawnSync(process.execPath, [compiler, '-p', 'src/client/tsconfig.json'], { cwd: root, stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
    // The compiler leaves the endings of imports alone in declarations.
    for (const name of readdirSync(target, { recursive: true }))
      if (name.endsWith('.d.ts')) {
        const file = join(target, name)
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
      }
    const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const entry = (name) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
    const description = {
      name: 'astrolabe-client',
      version,
      description: 'Typed client of the Astrolabe API',
      license,
      type: 'module',
      engines,
      sideEffects: false,
      exports: Object.fromEntries(Object.entries(ENTRIES).map(([path, name]) => [path, entry(name)])),
      // For compilers that do not read `exports` (moduleResolution "node").
      main: './client.js',
      types: './client.d.ts',
      typesVersions: {
        '*': Object.fromEntries(
          Object.entries(ENTRIES).flatMap(([path, name]) => (path === '.' ? [] : [[path.slice(2), [`./${name}.d.ts`]]])),
        ),
      },
      files: ['*.js', '*.d.ts', 'gen', 'proof'],
    }
    writeFileSync(join(target, 'package.json'), `${JSON.stringify(description, null, 2)}\n`)
    copyFileSync(join(root, 'src/client/README.md'), join(target, 'README.md'))
    copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  },
)
