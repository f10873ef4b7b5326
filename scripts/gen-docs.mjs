// Writes docs/operations.md, docs/schema.md and docs/config.schema.json: hand-written text from scripts/templates, joined with what the
// program itself says about its settings, metrics, alerts and tables. Run by `npm run gen`, after the sources are compiled; the results
// are committed, so a second run changes nothing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeSettings, makeJsonSchema } from '../build/src/config/describe.js'
import { createMetrics } from '../build/src/observability/metrics.js'
import { createPayMetrics } from '../build/src/pay/metrics.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (...path) => readFileSync(join(root, ...path), 'utf8')

/** Text of every generated document by its path. */
export function makeDocs() {
  return {
    'docs/operations.md': makeOperations(),
    'docs/schema.md': makeSchema(),
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

/** Who writes the tables of a migration, and who reads them. */
const WRITERS = {
  '0001_chain': 'the indexer, by COPY in the commit of the block; removed by height on a rollback. Read by the API.',
  '0002_state': 'the indexer, in the commit of the block; a rollback writes the old rows. Read by the indexer and the API.',
  '0003_modules': 'the indexer. Read by the API.',
  '0004_rollup':
    "`rollups`, the operator's API and the off-chain source `rollups`; `rollup_stats` by the indexer. Read by the indexer and the API.",
  '0005_series': 'the indexer, in the commit of the block; recomputed by `audit`. Read by the API.',
  '0006_offchain': 'the off-chain sources, in the process of the indexer. Read by the API.',
  '0020_source_head': 'the indexer, as it hears from its source. Read by the API and for metrics.',
  '0021_chain_rules': 'the indexer, in the commit of the block; a rollback writes the old rows. Read by the indexer.',
  '0024_long_lists': 'the indexer, with the tables they belong to.',
  '0025_typed_links': 'the indexer, with the table.',
  '0026_pending_terms': 'the indexer, in the commit of the block; a rollback writes the old rows. Read by the indexer.',
  '0027_mixed_txs': 'the indexer, with the table.',
  '0028_ended_delegations':
    'the indexer, in the commit of the block; a rollback writes the old rows. Read by the indexer and the API.',
  '0030_trust': 'the indexer, in the commit of the block; a rollback writes the old rows. Read by the indexer.',
  '0071_segments': 'the indexer. Read by the API.',
  '0070_rollup_fill': "whoever changes the rollup registry, and the indexer. Read by the operator's list of rollups.",
  '0035_validator_sets':
    'the indexer, in the commit of the block; a rollback writes the old rows of keys and deletes changes by height. Read by the API.',
  '0043_grant_limits': 'the indexer, in the commit of the block; a rollback writes the old rows. Read by the API.',
  '0065_commit_number': 'the indexer, in every commit; `rollups` and the operator, with every change. Read by the API.',
  '0075_money':
    'the indexer, by COPY in the commit of the block; removed on a rollback by the owners that the undo record names. Read by the API.',
  '0085_partitions':
    '`partitions`, and the indexer, which makes partitions ahead and writes hashes in the commit of the block. Read by the indexer and the API.',
  '0096_unsealed':
    'the indexer, by COPY in the commit of the block; removed by height on a rollback, and when the height is in a segment. Read by the API.',
  '0097_state_proof': 'the indexer and `audit --prove`. Read by `status`, for readiness and metrics.',
  '0094_tx_hash_by_id': 'the indexer, like the table. Read by the API.',
  '0083_state_changes':
    'the indexer, in the commit of the block; removed by height on a rollback. Read by the API process that delivers webhooks.',
  '0093_index_start': 'the indexer, with the pseudo-block that an index begins with. Read by the indexer, the API and `audit`.',
  '0070_webhooks':
    'every API process (subscriptions), the one that holds the lease of a network (positions, deliveries, trail). Read by every API process.',
  '0076_history_span': 'the indexer, in the commit of the block; a rollback writes the old row. Read by the API.',
  '0080_money_by_height': 'the indexer, with the table. Read by `export`.',
  '0010_payments': 'the paid surface. Read by `pay report`.',
  '0031_answer_height': 'the paid surface.',
  '0054_shared_losses': 'the paid surface.',
  '0060_payment_facilitator': 'the paid surface, where a facilitator settles.',
  '0053_payment_refunds': '`pay refund`. Read by `pay report`.',
  '0052_payment_watch': 'the paid surface.',
  '0051_payment_credit': 'the paid surface. Read by `pay report`.',
  '0050_payment_losses': 'the paid surface. Read by `pay report`.',
  '0020_access': '`keys` (keys), every API process (usage, counters). Read by every API process.',
  '0030_limit_server': 'every API process. Read by every API process.',
  '0021_offchain': 'the off-chain sources. Read by `status`.',
}

function makeSchema() {
  const sets = [
    ['network', '## One schema per network: `net_<name>`'],
    ['shared', '## Shared by all networks: `astrolabe`'],
  ]
  const parts = sets.flatMap(([set, heading]) => {
    const folder = join('src/store/migrations', set)
    const files = readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.sql'))
      .sort()
    return [heading, ...files.map((file) => describeMigration(folder, file))]
  })
  return `<!-- made by scripts/gen-docs.mjs from src/store/migrations -->
# Tables

Types are PostgreSQL's; \`?\` marks a column that may be null, **bold** the primary key. Ids of txs, messages, blobs and other rows of the
chain are height × 2^24 + position (genesis: position + 1); addresses, namespaces and validators are numbered in order of first appearance.
How a block reaches the tables: [architecture.md](architecture.md). Every schema also has \`migration\`: what was applied to it.

${parts.join('\n\n')}
`
}

function describeMigration(folder, file) {
  const sql = read(folder, file)
  const name = file.replace('.sql', '')
  const writers = WRITERS[name]
  if (!writers) throw new Error(`scripts/gen-docs.mjs does not know who writes the tables of ${file}`)
  const comments = new Map(
    [...sql.matchAll(/^comment on column (\w+\.\w+) is '(.*)';$/gm)].map(([, column, text]) => [
      column,
      text.replaceAll("''", "'"),
    ]),
  )
  const tables = [...sql.matchAll(/((?:^--.*\n)*)^create table (\w+) \(\n((?:.*\n)*?)^\);/gm)].map(([, remark, table, body]) =>
    describeTable(table, remark, body, comments),
  )
  const intro = /^(?:--.*\n)+(?=\n)/.exec(sql)?.[0]
  const columns = [...sql.matchAll(/^alter table (\w+) add column (\w+) (\w+);$/gm)].map(
    ([, table, column, type]) => `- \`${table}\`, one more column: ${column} ${type}?`,
  )
  const changes = [...tables, ...columns].join('\n')
  return [`### ${name}`, ...(intro ? [toText(intro)] : []), `Written by ${writers}`, ...(changes ? [changes] : [])].join('\n\n')
}

const toText = (remark) =>
  remark
    .replace(/^-- ?/gm, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')

function describeTable(table, remark, body, comments) {
  const key = new Set()
  const columns = []
  let above = ''
  for (const line of body.split('\n').map((text) => text.trim())) {
    if (line.startsWith('--')) {
      above = `${above} ${line.slice(2).trim()}`.trim()
      continue
    }
    const primary = /^primary key \((.+)\)/.exec(line)
    if (primary) for (const part of primary[1].split(', ')) key.add(part.replaceAll('"', ''))
    const found = primary ? null : /^"?(\w+)"? +(double precision|[a-z0-9]+(?:\[\])?)(.*)$/.exec(line)
    if (!found || /^(unique|check)$/.test(found[1])) continue
    const [, name, type, rest] = found
    if (rest.includes('primary key')) key.add(name)
    columns.push({ name, type, isNull: !/not null|primary key/.test(rest), note: comments.get(`${table}.${name}`) ?? above })
    above = ''
  }
  const list = columns.map(
    ({ name, type, isNull }) => `${key.has(name) ? `**${name}**` : name} ${type}${isNull && !key.has(name) ? '?' : ''}`,
  )
  const notes = columns.filter(({ note }) => note !== '').map(({ name, note }) => `  - \`${name}\`: ${note}`)
  return [`- \`${table}\`${remark.trim() === '' ? '' : `: ${toText(remark)}`}`, `  - ${list.join(', ')}`, ...notes].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of Object.entries(makeDocs())) writeFileSync(join(root, path), text)
