// Builds the Python client, installs it into a virtual environment of its own, and runs every example against the demo.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { withDemo } from '../../scripts/running-demo.mjs'
import { root } from '../../scripts/stamp.mjs'
import { runTrial, skip } from './trial.mjs'

await runTrial('python', async ({ folder, check }) => {
  if (spawnSync('python3', ['-m', 'venv', '--help']).status !== 0) skip('python3 with venv is not installed')
  const run = (command, ...args) =>
    execFileSync(command, args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    })
  run('python3', '-m', 'venv', folder)
  if (spawnSync(join(folder, 'bin/pip'), ['install', '--quiet', 'openapi-python-client', 'mypy']).status !== 0)
    skip('openapi-python-client cannot be installed from PyPI')
  run('node', 'scripts/build-python-client.mjs')
  run(join(folder, 'bin/pip'), 'install', '--quiet', 'build/python-client')
  const examples = readdirSync(join(root, 'clients/python/examples')).filter((name) => name.endsWith('.py'))
  run(join(folder, 'bin/mypy'), '--check-untyped-defs', ...examples.map((name) => join('clients/python/examples', name)))
  await withDemo([process.execPath, 'bin/astrolabe.cjs'], async ({ networks }) => {
    const base = networks.main.api.replace(/\/v1$/, '')
    for (const name of examples) {
      const text = run(join(folder, 'bin/python'), join('clients/python/examples', name), base)
      console.log(text)
      check(`${name} prints its answers`, text.trim().split('\n').length >= 3)
    }
  })
})
