// Packs the program, installs it globally into an empty prefix, and serves the demo from there. Needs a package registry.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { withDemo } from '../../scripts/running-demo.mjs'
import { root } from '../../scripts/stamp.mjs'
import { runTrial } from './trial.mjs'

const npm = (...args) => execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

await runTrial('package', async ({ folder, check }) => {
  const [{ filename, size, entryCount }] = JSON.parse(npm('pack', '--silent', '--json', '--pack-destination', folder))
  console.log(`${filename}: ${entryCount} files, ${(size / 1e6).toFixed(1)} MB`)
  npm('install', '--global', '--silent', '--prefix', folder, join(folder, filename))
  const program = join(folder, 'bin/astrolabe')
  console.log(`astrolabe --version: ${execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()}`)
  await withDemo([program], async ({ networks }) => {
    for (const [name, { api, page }] of Object.entries(networks)) {
      const { last_height: height, chain_id: chain } = await (await fetch(`${api}/head`)).json()
      const { status } = await fetch(page)
      check(`${name}: ${chain} at ${height}, page ${status}`, height > 0 && status === 200)
    }
  })
})
