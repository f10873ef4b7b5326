// Packs the program, installs it globally into an empty prefix, and serves the demo from there. Needs a package registry.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, withDemo } from './running-demo.mjs'
import { root } from './stamp.mjs'

const prefix = makeFolder('prefix')
const npm = (...args) => execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const [{ filename, size, entryCount }] = JSON.parse(npm('pack', '--silent', '--json', '--pack-destination', prefix))
  console.log(`${filename}: ${entryCount} files, ${(size / 1e6).toFixed(1)} MB`)
  npm('install', '--global', '--silent', '--prefix', prefix, join(prefix, filename))
  const program = join(prefix, 'bin/astrolabe')
  console.log(`astrolabe --version: ${execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()}`)
  await withDemo([program], async ({ networks }) => {
    for (const [name, { api, page }] of Object.entries(networks)) {
      const { last_height: height, chain_id: chain } = await (await fetch(`${api}/head`)).json()
      const { status } = await fetch(page)
      console.log(`${name}: ${chain} at ${height}, page ${status}`)
      if (!(height > 0) || status !== 200) throw new Error(`${name} is not served`)
    }
  })
  console.log('1 passed, 0 failed')
} finally {
  rmSync(prefix, { recursive: true, force: true })
}
