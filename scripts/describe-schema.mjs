// Describes the tables of a migrated database for docs/schema.md: columns, types, keys and indexes come from the catalogue of PostgreSQL,
// explanations from its comments, the remarks of the migrations and the data dictionary (src/types/dictionary), the writer of a table from the first line of its migration.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { COMMON_WORDS } from '../build/src/types/dictionary/dictionary.js'
import { root } from './stamp.mjs'

/** Text of the document about the database at `url`, whose schema `network` holds the tables of a network. */
export async function describeSchema(url, { network, shared }) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return `<!-- made by scripts/describe-schema.mjs from a migrated database and src/store/migrations -->
# Tables

Types are PostgreSQL's; \`?\` marks a column that may be null, **bold** the primary key. Ids of txs, messages, blobs and other rows of the
chain are height × 2^24 + position (genesis: position + 1); addresses, namespaces and validators are numbered in order of first appearance.
How a block reaches the tables: [architecture.md](architecture.md). Every schema also has \`migration\`: the migrations applied to it.

## One schema per network: \`net_<name>\`

${await describeTables(client, network, 'network')}

## Shared by all networks: \`astrolabe\`

${await describeTables(client, shared, 'shared')}

## Migrations

A number is reserved when work on a change begins, so that changes made at the same time never share one. Numbers that were not needed in
the end are not given again, which leaves gaps. The two sets are numbered separately.

${describeMigrations('network')}

${describeMigrations('shared')}
`
  } finally {
    await client.end()
  }
}

async function describeTables(client, schema, set) {
  const remarks = readRemarks(set)
  const columns = await readColumns(client, schema)
  const indexes = await readIndexes(client, schema)
  const names = [...new Set(columns.map(({ table }) => table))]
  return names
    .map((table) =>
      describeTable(
        table,
        remarks,
        // Names of the dictionary are those of the chain; `time` is the start of a bucket in many tables.
        set === 'network' ? { ...COMMON_WORDS, time: undefined } : {},
        columns.filter((column) => column.table === table),
        indexes.filter((index) => index.table === table),
      ),
    )
    .join('\n\n')
}

function describeTable(table, remarks, words, columns, indexes) {
  if (!remarks.tables.has(table)) throw new Error(`no migration has the line "create table ${table} (" and the end of it, ");"`)
  const { text, writer } = remarks.tables.get(table)
  const list = columns.map(
    ({ name, type, is_key, is_null }) => `${is_key ? `**${name}**` : name} ${shortTypeOf(type)}${is_null ? '?' : ''}`,
  )
  const notes = columns
    .map(({ name, comment }) => ({ name, note: comment ?? remarks.columns.get(`${table}.${name}`) ?? words[name] }))
    .filter(({ note }) => note)
    .map(({ name, note }) => `  - \`${name}\`: ${note}`)
  return [
    `### ${table}`,
    '',
    `${text && `${text} `}Written by ${writer}`,
    '',
    `- ${list.join(', ')}`,
    ...notes,
    ...(indexes.length > 0 ? [`- Indexes: ${indexes.map(describeIndex).join(', ')}`] : []),
  ].join('\n')
}

/** An index without the words that are the same for all of them. */
const describeIndex = ({ definition }) => {
  const [, unique, method, rest] = /^CREATE (UNIQUE )?INDEX .+? USING (\w+) (.+)$/.exec(definition)
  return `${unique ? 'unique ' : ''}${method === 'btree' ? '' : `${method} `}\`${rest}\``
}

const shortTypeOf = (type) => type.replace('timestamp with time zone', 'timestamptz')

async function readColumns(client, schema) {
  const { rows } = await client.query(
    `select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as is_null,
            coalesce(a.attnum = any(k.conkey), false) as is_key, col_description(c.oid, a.attnum) as comment
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'migration'
     order by c.relname collate "C", a.attnum`,
    [schema],
  )
  return rows
}

async function readIndexes(client, schema) {
  const { rows } = await client.query(
    `select c.relname as "table", pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     join pg_class c on c.oid = i.indrelid
     join pg_class n on n.oid = i.indexrelid
     where c.relnamespace = $1::regnamespace and not i.indisprimary
     order by c.relname collate "C", n.relname collate "C"`,
    [schema],
  )
  return rows
}

function readMigrations(set) {
  const folder = join(root, 'src/store/migrations', set)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readMigration(file, readFileSync(join(folder, file), 'utf8')))
}

/** A migration begins with its writer, if it creates tables, and then its purpose; both are comments. */
function readMigration(file, text) {
  const [header] = /^(?:--.*\n)*/.exec(text)
  const writer = /^-- Written by (.+)\n/.exec(header)?.[1]
  const sql = text.slice(header.length)
  if (!writer && /^create table /m.test(sql))
    throw new Error(`${file} creates a table: its first line must be "-- Written by …", naming who writes and who reads it`)
  return { name: file.replace('.sql', ''), writer, purpose: toText(header.replace(/^-- Written by .*\n/, '')), sql }
}

const describeMigrations = (set) =>
  readMigrations(set)
    .map(({ name, purpose }) => `- \`${name}\`: ${purpose}`)
    .join('\n')

/** Remarks of the migrations on tables and columns: the comment lines above them, or behind them on the same line. */
function readRemarks(set) {
  const tables = new Map()
  const columns = new Map()
  for (const { writer, purpose, sql } of readMigrations(set)) {
    const made = [...sql.matchAll(/((?:^--.*\n)*)^create table (\w+) \(\n((?:.*\n)*?)^\);/gm)]
    for (const [, remark, table, body] of made) {
      tables.set(table, { writer, text: toText(remark) || (made.length === 1 ? purpose : '') })
      for (const [, above, column] of body.matchAll(/((?:^ *--.*\n)+)^ *"?(\w+)/gm))
        columns.set(`${table}.${column}`, toText(above))
    }
    const added = sql.matchAll(/((?:^--.*\n)*)^alter table (\w+) add column (\w+)[^;\n]*;(?: *--(.*))?$/gm)
    for (const [, above, table, column, behind] of added) columns.set(`${table}.${column}`, toText(behind ?? above))
  }
  return { tables, columns }
}

const toText = (remark) =>
  remark
    .replace(/^ *-- ?/gm, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
