import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { freePort } from '../../src/lib/free-port.ts'
import { makeSnapshot } from '../../src/store/snapshot/make-snapshot.ts'
import type { Manifest } from '../../src/store/snapshot/manifest.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { readForged, renameBranch, toRaw } from '../live/branches.ts'
import { startNode } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'
import { fewOf, longTest } from '../support/long-test.ts'
import { makeFolder } from '../support/program.ts'
import { indexRecording, SCHEMA } from '../support/templates.ts'
import { bareDatabase, copyOf, query, restore, snapshot } from './published.ts'

const HEIGHT = 100
const folder = join(makeFolder(), 'published')
let nodes: { url: string }[]
let indexed: string

before(async () => {
  indexed = await freshDatabase()
  await indexRecording(indexed, 'test-1', { until: HEIGHT })
  assert.equal((await snapshot(indexed, folder)).code, 0)
  nodes = await Promise.all([1, 2].map(() => startNode({ recording: 'test-1' })))
})

const editManifest = (copy: string, edit: (manifest: Manifest) => void) => {
  const file = join(copy, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  edit(manifest)
  writeFileSync(file, JSON.stringify(manifest))
}

type Case = { name: string; damage: (copy: string) => void; sentence: RegExp }

const damaged: Case[] = [
  {
    name: 'a file with a changed byte',
    damage: (copy) => {
      const file = join(copy, 'tx.copy.gz')
      const bytes = readFileSync(file)
      bytes[bytes.length >> 1]! ^= 1
      writeFileSync(file, bytes)
    },
    sentence: /\/tx\.copy\.gz is damaged: its checksum is not the one of the manifest/,
  },
  {
    name: 'a file that is too long',
    damage: (copy) => appendFileSync(join(copy, 'block.copy.gz'), 'x'),
    sentence: /\/block\.copy\.gz is damaged: it has \d+ bytes, the manifest says \d+/,
  },
  {
    name: 'a missing file',
    damage: (copy) => rmSync(join(copy, 'message.copy.gz')),
    sentence: /a file of the snapshot cannot be read: ENOENT/,
  },
  {
    name: 'a snapshot that was not finished',
    damage: (copy) => rmSync(join(copy, 'manifest.json')),
    sentence: /copy is no complete snapshot: it has no manifest\.json/,
  },
  {
    name: 'a manifest with a field of another form',
    damage: (copy) => editManifest(copy, (manifest) => Object.assign(manifest, { height: 'a hundred' })),
    sentence: /manifest\.json is no manifest of a snapshot: height must be/,
  },
  {
    name: 'a table that the manifest does not name',
    damage: (copy) => editManifest(copy, ({ tables }) => tables.splice(3, 1)),
    sentence: /the tables of the snapshot are not those of its schema version: \w+ differs/,
  },
  {
    name: 'a schema version of a newer program',
    damage: (copy) => editManifest(copy, ({ migrations }) => migrations.push(9999)),
    sentence: /the snapshot is of schema version 9999, this program knows \d+ \(unknown: 9999\): use a newer program/,
  },
  {
    name: 'rows that are not those of the confirmed block',
    damage: (copy) => editManifest(copy, (manifest) => Object.assign(manifest, { genesis_hash: 'ab'.repeat(32) })),
    sentence: /the rows of the snapshot do not end with block 100 of astrolabe-test-1, as its manifest says/,
  },
]

async function assertRefused(running: Promise<{ code: number | null; text: string }>, sentence: RegExp): Promise<void> {
  const { code, text } = await running
  assert.equal(code, 1, text)
  assert.match(text, new RegExp(`^astrolabe: .*${sentence.source}`, 'm'))
}

function testDamage(cases: readonly Case[]): void {
  for (const { name, damage, sentence } of cases)
    test(`${name} is refused, and nothing is restored`, async () => {
      const copy = copyOf(folder)
      damage(copy)
      const url = await freshDatabase()
      await assertRefused(restore(url, copy, nodes), sentence)
      assert.deepEqual(await query(url, `select from ${SCHEMA}.block union all select from ${SCHEMA}.head`), [])
    })
}

const falsified: [what: string, statement: string, options: string[], sentence: RegExp][] = [
  ['the memos of all txs', "update tx set memo = 'thanks'", ['--all'], /block \d+, tx \d+: memo is "", the index says "thanks"/],
  [
    'the app hash of the last header',
    `update block set app_hash = sha256('other') where height = ${HEIGHT}`,
    ['--blocks', '2'],
    /block 100: app_hash is "[0-9a-f]{64}", the index says "[0-9a-f]{64}"/,
  ],
]

/** Tests of the default run. */
export function testRefusals(): void {
  testDamage(damaged.slice(0, 1))

  test('a refused restore leaves nothing in the way of the next one', async () => {
    const copy = copyOf(folder)
    editManifest(copy, ({ tables }) => {
      tables.at(-1)!.rows++
    })
    const url = await bareDatabase()
    await assertRefused(restore(url, copy, nodes), /table \w+ has \d+ rows, the manifest says \d+/)
    const { code, text } = await restore(url, folder, nodes)
    assert.equal(code, 0, text)
  })

  longTest('another chain is refused, with both chains in the sentence', async () => {
    const url = await bareDatabase()
    const other = await startNode({ recording: 'test-2' })
    await assertRefused(
      restore(url, folder, nodes, { network: { chain_id: 'celestia' } }),
      /the snapshot is of chain astrolabe-test-1, network main is configured for celestia/,
    )
    await assertRefused(
      restore(url, folder, [nodes[0]!, other]),
      /the rows are of chain astrolabe-test-1, 127\.0\.0\.1:\d+ serves astrolabe-test-2/,
    )
  })

  test('one node with another block at the height is enough to refuse', async () => {
    const node = await startNode({ recording: 'test-1' })
    node.fork(toRaw(renameBranch(await readForged('test-1', HEIGHT - 5, 158), 'other')))
    await assertRefused(
      restore(await bareDatabase(), folder, [...nodes, node]),
      /the rows end with block [0-9a-f]{64} at height 100, 127\.0\.0\.1:\d+ has [0-9a-f]{64} there: they are not of the same chain/,
    )
  })

  longTest('one node or none is said, and accepted when asked for', async () => {
    const url = await bareDatabase()
    const dead = { url: `http://127.0.0.1:${await freePort()}` }
    const behind = await startNode({ recording: 'test-1', startHeight: HEIGHT - 10 })
    await assertRefused(
      restore(url, folder, [nodes[0]!, nodes[0]!]),
      /only 127\.0\.0\.1:\d+ confirms block [0-9a-f]{64} at height 100, 2 have to: name more nodes, or accept this with --min-nodes 1/,
    )
    await assertRefused(
      restore(url, folder, [dead, behind], { options: ['--min-nodes', '1'] }),
      /no node confirms block .* 1 have to \(\S+ does not tell about height 100: .*; \S+ does not have height 100\): .* --min-nodes 0/,
    )
    const { code, text } = await restore(url, folder, [nodes[0]!, dead], { options: ['--min-nodes', '1'] })
    assert.equal(code, 0, text)
    assert.match(text, /confirmed by 127\.0\.0\.1:\d+\)/)
    const unseen = await restore(await bareDatabase(), folder, [dead], { options: ['--min-nodes', '0'] })
    assert.equal(unseen.code, 0, unseen.text)
    assert.match(unseen.text, /confirmed by nobody/)
  })

  for (const [what, statement, options, sentence] of fewOf(falsified, 1))
    test(`${what}, changed before the snapshot was made, are found, and nothing of it is kept`, async () => {
      const source = await freshDatabase()
      await indexRecording(source, 'test-1', { until: HEIGHT })
      await query(source, `set search_path to ${SCHEMA}; ${statement}`)
      const published = join(makeFolder(), 'false')
      const { signal } = new AbortController()
      await makeSnapshot({ url: source, schema: SCHEMA, folder: published, program: 'test', signal })
      const url = await bareDatabase()
      const { code, text } = await restore(url, published, nodes, { options })
      assert.equal(code, 1, text)
      assert.match(text, /the snapshot is not what the chain says, and nothing of it was kept:/)
      assert.match(text, sentence)
      assert.deepEqual(await query(url, 'select from pg_namespace where nspname = $1', [SCHEMA]), [])
    })

  longTest('an index is never overwritten, neither a finished one nor one that a writer is about to fill', async () => {
    await assertRefused(
      restore(indexed, folder, nodes),
      /schema net_main is not empty \(\w+ has rows\): restore into a network without an index/,
    )
    const url = await freshDatabase()
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
    await assertRefused(restore(url, folder, nodes), /an indexer is at work on schema net_main: stop it, then restore/)
    await writer.close()
  })
}

/** Tests of the long run. */
export function testRefusalsAtLength(): void {
  testDamage(damaged)

  test('empty tables of a newer version are refused with the way out', async () => {
    const url = await freshDatabase()
    await query(url, `insert into ${SCHEMA}.migration (version, name) values (9998, 'later')`)
    await assertRefused(
      restore(url, folder, nodes),
      /schema net_main is at version 9998, the snapshot at \d+: .*drop schema "net_main" cascade/,
    )
  })

  test('a snapshot is not made over another one, nor of nothing', async () => {
    await assertRefused(snapshot(indexed, folder), /published is not empty: a snapshot needs its own folder/)
    const empty = join(makeFolder(), 'empty')
    await assertRefused(snapshot(await freshDatabase(), empty), /no block is indexed yet: there is nothing to make a snapshot of/)
    await assertRefused(snapshot(await bareDatabase(), empty), /network main has no tables yet: index it first/)
  })
}
