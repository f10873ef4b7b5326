// Writes docs/operations.md, docs/schema.md, docs/datasets.md and docs/config.schema.json: hand-written text from scripts/templates, joined with what the
// program itself says about its settings, metrics and alerts, and its database about tables. Run by `npm run gen`, after the sources are compiled; the results
// are committed, so a second run changes nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeSettings, makeJsonSchema } from '../build/src/config/describe.js'
import { schemaOf } from '../build/src/config/schema.js'
import { createMetrics } from '../build/src/observability/metrics.js'
import { createPayMetrics } from '../build/src/pay/metrics.js'
import { startEmbedded } from '../build/src/store/embedded/server.js'
import { migrate, SHARED_SCHEMA } from '../build/src/store/migrations/migrate.js'
import { describeDatasets } from './describe-datasets.mjs'
import { describeSchema } from './describe-schema.mjs'
import { root } from './stamp.mjs'

const NETWORK_SCHEMA = schemaOf({ name: 'main' })
const read = (...path) => readFileSync(join(root, ...path), 'utf8')

/** Text of every generated document by its path. `databaseUrl`: a migrated database. */
export async function makeDocs(databaseUrl) {
  return {
    'docs/operations.md': makeOperations(),
    'docs/schema.md': await describeSchema(databaseUrl, { network: NETWORK_SCHEMA, shared: SHARED_SCHEMA }),
    'docs/datasets.md': describeDatasets(),
    'docs/config.schema.json': `${JSON.stringify(makeJsonSchema(), null, 2)}\n`,
  }
}

function makeOperations() {
  const alerts = readAlerts()
  const text = read('scripts/templates/operations.md')
    .replace('<!-- settings -->\n', describeSettings)
    .replace('<!-- metrics -->\n', describeMetrics)
    .replace(/^### (Astrolabe\w+)$/gm, (heading, name) => {
      const alert = alerts.get(name)
      if (!alert) throw new Error(`scripts/templates/operations.md has a section for ${name}, which ops/alerts.yml does not know`)
      alerts.delete(name)
      return `${heading}\n\n\`${alert.expr}\`${alert.for ? ` for ${alert.for}` : ''} (${alert.severity})`
    })
  if (alerts.size > 0) throw new Error(`scripts/templates/operations.md says nothing about ${[...alerts.keys()].join(', ')}`)
  return `<!-- made by scripts/gen-docs.mjs from scripts/templates/operations.md: edit that -->\n${text}`
}

/** The rules file is ours, so its layout is known; a YAML library for it would be the only use of one. */
function readAlerts() {
  const parts = read('ops/alerts.yml')
    .split(/^ +- alert: /m)
    .slice(1)
  return new Map(
    parts.map((part) => {
      const field = (name) => new RegExp(`^ +${name}: (.+)$`, 'm').exec(part)?.[1]
      const folded = /^ +expr: >-\n((?: {10}.+\n)+)/m.exec(part)?.[1]
      const expr = (folded ?? field('expr')).trim().replace(/\s*\n\s*/g, ' ')
      return [part.split('\n', 1)[0], { expr, for: field('for'), severity: /severity: (\w+)/.exec(part)[1] }]
    }),
  )
}

/** Of the runtime itself: known to everyone who watches Node programs. */
const OF_NODE = /^idx_(process|nodejs)_/

function describeMetrics() {
  const { registry } = createMetrics({ version: '', commit: '' })
  createPayMetrics(registry)
  const rows = registry
    .getMetricsAsArray()
    .filter(({ name }) => !OF_NODE.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labelNames, help }) => `| \`${name}\` | ${type} | ${labelNames.join(', ')} | ${help} |`)
  return ['| Metric | Type | Labels | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const docs = await withDatabase(makeDocs)
  for (const [path, text] of Object.entries(docs)) writeFileSync(join(root, path), text)
}

/** Runs `work` with the address of an empty, migrated database on a PostgreSQL of its own, which is removed afterwards. */
async function withDatabase(work) {
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-docs-'))
  const server = await startEmbedded({ directory, ephemeral: true })
  try {
    await migrate(server.url, SHARED_SCHEMA, 'shared')
    await migrate(server.url, NETWORK_SCHEMA, 'network')
    return await work(server.url)
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
