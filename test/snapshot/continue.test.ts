import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { migrate, readMigrations } from '../../src/store/migrations/migrate.ts'
import { loadRollups } from '../../src/store/rollups/edit-rollups.ts'
import { makeSnapshot } from '../../src/store/snapshot/make-snapshot.ts'
import { type Manifest, readManifest } from '../../src/store/snapshot/manifest.ts'
import { delayBranch, readForged, toRaw } from '../live/branches.ts'
import { assertSameTables, digestUndisturbed } from '../live/oracle.ts'
import { startIndexer, startNode } from '../live/stack.ts'
import { devnetUrl, freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { makeFolder } from '../support/program.ts'
import { SCHEMA } from '../support/templates.ts'
import { bareDatabase, query, restore, snapshot } from './published.ts'

const END = 403
const MADE_FROM = 250

describe('a snapshot made while the chain moves', () => {
  const folder = join(makeFolder(), 'published')
  let nodes: ReplayNode[]
  let manifest: Manifest

  before(async () => {
    const url = await freshDatabase()
    await loadRollups(url, SCHEMA, packagePath('data/recordings/devnet/rollups.json'))
    const node = await startNode({ recording: 'devnet', startHeight: MADE_FROM })
    const indexer = startIndexer(url, [node])
    await indexer.reached(MADE_FROM)
    let isMade = false
    const making = snapshot(url, folder).finally(() => {
      isMade = true
    })
    while (!isMade && node.height < END) {
      await node.advance()
      await indexer.reached(node.height)
    }
    const { code, text } = await making
    assert.equal(code, 0, text)
    await indexer.stop()
    manifest = await readManifest(folder)
    assert.ok(
      text.includes(`astrolabe-devnet-1 at height ${manifest.height} (block ${manifest.block_hash}) is in ${folder}: `),
      text,
    )
    assert.ok(manifest.height >= MADE_FROM && node.height > manifest.height, `${manifest.height} of ${node.height}`)
    nodes = await Promise.all([1, 2].map(() => startNode({ recording: 'devnet' })))
  })

  test('is restored without any table before and continues to the tables of an index from genesis', async () => {
    const url = await bareDatabase()
    const { code, text } = await restore(url, folder, nodes)
    assert.equal(code, 0, text)
    const hosts = nodes.map((node) => new URL(node.url).host).join(', ')
    assert.ok(text.includes(`holds astrolabe-devnet-1 up to height ${manifest.height} (confirmed by ${hosts})`), text)
    await startIndexer(url, nodes, { follow: false }).ended
    assertSameTables(await digestOf(url), await digestOf(devnetUrl))
    const compared = [
      `select indexdef from pg_indexes where schemaname = '${SCHEMA}' order by 1`,
      `select * from ${SCHEMA}.rollup order by id`,
      `select * from ${SCHEMA}.rollup_provider order by rollup_id, position`,
      `select version from ${SCHEMA}.migration order by 1`,
    ]
    for (const statement of compared) assert.deepEqual(await query(url, statement), await query(devnetUrl, statement))
  })

  longTest('takes back its own last heights when the chain forked meanwhile', async () => {
    const parent = manifest.height - 20
    const branch = toRaw(delayBranch(await readForged('devnet', parent, END), 1))
    const url = await freshDatabase()
    assert.equal((await restore(url, folder, nodes)).code, 0)
    const node = await startNode({ recording: 'devnet' })
    node.fork(branch)
    node.setHeight(END + 1)
    const indexer = startIndexer(url, [node])
    await indexer.reached(END + 1)
    await indexer.stop()
    assert.deepEqual(indexer.rollbacks, [[manifest.height, parent]])
    assertSameTables(await digestOf(url), await digestUndisturbed('devnet', branch))
  })
})

test('a snapshot of an older version of the tables is brought up to date', async () => {
  const url = await freshDatabase('devnet')
  const all = await readMigrations('network')
  await migrate(url, 'net_old', 'network', () => {}, all.slice(0, -1))
  const columns = await query<{ name: string; columns: string }>(
    url,
    `select o.table_name as name, string_agg(quote_ident(o.column_name), ', ') as columns
     from information_schema.columns o
     join information_schema.columns n using (table_name, column_name)
     where o.table_schema = 'net_old' and n.table_schema = $1 and table_name <> 'migration'
     group by 1
     order by 1`,
    [SCHEMA],
  )
  for (const { name, columns: names } of columns)
    await query(url, `insert into net_old.${name} (${names}) select ${names} from ${SCHEMA}.${name}`)
  const folder = join(makeFolder(), 'old')
  await makeSnapshot({ url, schema: 'net_old', folder, program: 'test', signal: new AbortController().signal })
  const target = await bareDatabase()
  const { code, text } = await restore(target, folder, [], {
    options: ['--min-nodes', '0'],
    network: { rpc: ['http://127.0.0.1:1'] },
  })
  assert.equal(code, 0, text)
  const versions = await query<{ version: number }>(target, `select version from ${SCHEMA}.migration order by 1`)
  assert.deepEqual(
    versions.map(({ version }) => version),
    all.map(({ version }) => version),
  )
  const [mine, theirs] = [await digestOf(target), await digestOf(devnetUrl)]
  for (const name of ['block', 'tx', 'balance', 'undo', 'head']) assert.equal(mine[name], theirs[name], name)
})
