import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildProgram } from '../../src/cli/program.ts'
import { loadConfig } from '../../src/config/load.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { createPayMetrics } from '../../src/pay/metrics.ts'
import { blocksOf } from '../first-hour/markdown.ts'
import { readComposeServices, readRolesSql } from './compose-file.ts'

const read = (path: string) => readFileSync(packagePath(path), 'utf8')

test('every alert has a unit test of the same name', () => {
  const alerts = [...read('ops/alerts.yml').matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name)
  const tested = new Set([...read('ops/alerts.test.yml').matchAll(/^ {2}- name: (\w+)$/gm)].map(([, name]) => name))
  assert.deepEqual(
    alerts.filter((name) => !tested.has(name)),
    [],
  )
})

test('dashboard and alerts ask only for metrics that exist', () => {
  const { registry } = createMetrics({ version: '', commit: '' })
  createPayMetrics(registry)
  const known = new Set(registry.getMetricsAsArray().map(({ name }) => name))
  for (const file of ['ops/grafana/dashboards/astrolabe.json', 'ops/alerts.yml', 'ops/alerts.test.yml'])
    for (const [name] of read(file).matchAll(/\bidx_\w+/g))
      assert.ok(known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, '')), `${name} in ${file}`)
})

test('compose creates the roles of the production guide', () => {
  const statements = (sql: string) =>
    sql
      .replaceAll(/^--.*\n/gm, '')
      .replaceAll(/password (:'\w+'|'[^']*')/g, 'password')
      .trim()
      .split('\n')
  assert.deepEqual(statements(readRolesSql()), statements(blocksOf(read('docs/production.md'), 'sql run')[0]!))
})

test('compose runs commands that exist, with a configuration that is valid and variables that its example names', async () => {
  const commands = new Set((await buildProgram()).commands.map((command) => command.name()))
  for (const [name, { command, environment }] of readComposeServices()) {
    if (environment.ASTROLABE_CONFIG && !['postgres', 'prometheus', 'grafana'].includes(name))
      assert.ok(commands.has(command[0]!), `${name}: ${command}`)
  }
  const { networks } = loadConfig({ env: {}, file: packagePath('ops/compose/config.json') })
  assert.deepEqual(
    networks.map(({ name, listen }) => [name, listen.port]),
    [['main', 9876]],
  )
  const example = read('ops/compose/.env.example')
  for (const [, variable] of read('compose.yaml').matchAll(/\$\{(\w+):\?/g))
    assert.match(example, new RegExp(`^${variable}=`, 'm'))
})

test('service files take away what the program does not need', () => {
  const units = readdirSync(packagePath('ops')).filter((name) => name.endsWith('.service'))
  assert.equal(units.length, 4)
  const directives = [
    ...['NoNewPrivileges=true', 'CapabilityBoundingSet=', 'ProtectSystem=strict', 'ProtectHome=true', 'PrivateUsers=true'],
    ...['PrivateDevices=true', 'ProtectKernelTunables=true', 'RestrictNamespaces=true', 'RestrictSUIDSGID=true', 'UMask=0077'],
    ...['SystemCallArchitectures=native', 'SystemCallFilter=@system-service', 'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX'],
  ]
  for (const unit of units) {
    const lines = read(`ops/${unit}`).split('\n')
    for (const directive of directives) assert.ok(lines.includes(directive), `${unit}: ${directive}`)
  }
})

test('compose leaves no password empty', () => {
  assert.doesNotMatch(read('compose.yaml'), /PASSWORD: \$\{\w+:-\}/)
})
