// Makes build/python-client from the description of the key surface. Needs openapi-python-client (PyPI) on the PATH.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import './build-code.mjs'
import { root } from './stamp.mjs'

const { describeKeySurface } = await import('../build/src/client-generator/describe.js')
const { writeDescription } = await import('../build/src/api/openapi.js')

const description = join(root, 'build/openapi.json')
const target = join(root, 'build/python-client')
writeFileSync(description, writeDescription(describeKeySurface()))
rmSync(target, { recursive: true, force: true })
mkdirSync(join(root, 'build'), { recursive: true })
const { status, error } = spawnSync(
  'openapi-python-client',
  ['generate', '--path', description, '--output-path', target, '--config', join(root, 'clients/python/config.yml')],
  { stdio: 'inherit' },
)
if (error) {
  console.error('openapi-python-client was not found: pip install openapi-python-client')
  process.exit(1)
}
process.exit(status ?? 1)
