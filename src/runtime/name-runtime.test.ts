import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { packagePath } from '../lib/package-path.ts'

test('a command that speaks with PostgreSQL does not load fetch', () => {
  const main = pathToFileURL(packagePath('build/program/main.js')).href
  const script = `
    import { createRequire } from 'node:module'
    process.on('exit', () => {
      const hasPg = Object.keys(createRequire(${JSON.stringify(main)}).cache).some((file) => /node_modules.pg.lib/.test(file))
      process.stderr.write(JSON.stringify({ hasPg, hasFetch: process.moduleLoadList.some((name) => /undici/.test(name)) }))
    })
    process.argv = [process.argv[0], 'astrolabe', 'keys', '--help']
    await import(${JSON.stringify(main)})`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(stderr), { hasPg: true, hasFetch: false })
})
