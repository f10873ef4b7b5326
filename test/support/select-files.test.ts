import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { findNeeds, findTestFiles, isUnitTest } from './select-files.ts'

const needsOf = (filter: string) => {
  const files = findTestFiles([filter])
  assert.ok(files.length > 0, filter)
  return findNeeds(files)
}

test('a server is started for files that use one, and templates only for those that clone them', () => {
  assert.deepEqual(needsOf('build/src/lib/'), { server: false, templates: false })
  assert.deepEqual(needsOf('build/src/derive/'), { server: false, templates: false })
  assert.deepEqual(needsOf('build/test/pay/refusals'), { server: true, templates: false })
  assert.deepEqual(needsOf('build/test/live/fork.test'), { server: true, templates: true })
  assert.deepEqual(needsOf('build/src/api/routes/gas.test'), { server: true, templates: true })
})

test('unit tests are those beside the code that need no server', () => {
  const units = findTestFiles([]).filter(isUnitTest)
  assert.ok(units.includes('build/src/lib/encoding/bytes.test.js'))
  assert.ok(units.includes('build/test/structure/citations.test.js'))
  assert.ok(!units.some((file) => file.startsWith('build/src/api/routes/gas')))
  assert.ok(!units.some((file) => file.startsWith('build/test/live')))
})

test('campaigns run only when asked for, and a test with a size has a short form in the default run', () => {
  const shortForms = findTestFiles([])
  const campaigns = findTestFiles([], { long: true })
  assert.ok(campaigns.length > 0)
  assert.ok(!shortForms.some((file) => file.endsWith('.long.test.js')))
  const isShared = (file: string) => existsSync(packagePath(file.replace('build/', '').replace('.long.test.js', '.case.ts')))
  for (const file of campaigns.filter(isShared))
    assert.ok(shortForms.includes(file.replace('.long.test.js', '.test.js')), `${file} has no short form`)
})

test('a pattern chooses tests by name, and an unknown option or path is refused', () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [packagePath('build/test/run.js'), ...args], { encoding: 'utf8', env })
  const chosen = run('src/lib/encoding/bech32.test', '--test-name-pattern', 'escrow')
  assert.equal(chosen.status, 0, chosen.stderr)
  const ran = chosen.stdout.split('\n').filter((line) => line.startsWith('✔ '))
  assert.ok(ran.length > 0 && ran.every((line) => line.includes('escrow')), chosen.stdout)
  assert.match(run('src/lib', '--tset-name-pattern=x').stderr, /tset-name-pattern/)
  const campaign = run('faults/kill.long')
  assert.equal(campaign.status, 1)
  assert.match(campaign.stderr, /campaigns of that name run with --long/)
  const lost = run('no/such/file')
  assert.equal(lost.status, 1)
  assert.match(lost.stderr, /no test file has no\/such\/file in its path/)
})
