import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { aGenesis, anAccount, aValidator, blockTime, CHAIN_ID } from '../builders.ts'
import { emptyBranch, readForged, toRaw } from '../live/branches.ts'
import { JOINED_AT, LENGTH, makeGenesis, makeSignedChain } from '../live/signed-chain.ts'
import { startNode } from '../live/stack.ts'
import { writeConfig } from '../support/config-file.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { SCHEMA } from '../support/templates.ts'
import { bareDatabase, query } from './published.ts'

/** The state of the chain after this height is exported; no node has a block below the next one. */
const EXPORTED = 100
const LAST = EXPORTED + 5
const CHAIN = 'astrolabe-test-1'
const alice = anAccount('alice')
const one = aValidator('one')

let node: ReplayNode
let url: string
const genesis = join(makeFolder(), 'exported.json')

before(async () => {
  const blocks = toRaw(emptyBranch(await readForged('test-1', EXPORTED, EXPORTED), LAST - EXPORTED))
  const original = Buffer.from(JSON.stringify({ ...aGenesis(), chain_id: CHAIN }))
  node = await startNode({ blocks, chainId: CHAIN, genesis: original })
  const exported = { ...aGenesis({ balances: { [alice.text]: 7_000_000n } }), chain_id: CHAIN }
  writeFileSync(genesis, JSON.stringify({ ...exported, initial_height: EXPORTED + 1, genesis_time: blockTime(0) }))
  url = await bareDatabase()
})

function astrolabe(args: string[], network: object, { verifies = false } = {}): Promise<{ code: number | null; text: string }> {
  const indexing = { verify_commits: verifies }
  const config = writeConfig(makeFolder(), { networks: [{ rpc: [node.url], ...network }], indexing })
  return runCli([...args, '--config', config, '--database', url, '--data', makeFolder()]).ended
}

test('an index begins after the height of an exported genesis, from a node that has nothing before it', async () => {
  const checked = await astrolabe(['doctor'], { genesis })
  assert.match(checked.text, new RegExp(`ok +source of main: \\S+ has ${CHAIN} up to height ${LAST}`))
  const { code, text } = await astrolabe(['index', '--once'], { genesis })
  assert.equal(code, 0, text)
  const [range] = await query(
    url,
    `select min(height) as first, max(height) as last, count(*)::int as count from ${SCHEMA}.block`,
  )
  assert.deepEqual(range, { first: EXPORTED, last: LAST, count: LAST - EXPORTED + 1 })
  const money = await query(url, `select spendable from ${SCHEMA}.address where spendable > 0`)
  assert.deepEqual(money, [{ spendable: '7000000' }])
})

test('the votes of the first blocks are verified with the validators of the file', async () => {
  const signed = await startNode({ blocks: toRaw(makeSignedChain().slice(5)), chainId: CHAIN_ID, genesis: makeGenesis() })
  const file = join(makeFolder(), 'exported.json')
  const indexFrom = async (name: string, document: Buffer) => {
    writeFileSync(file, JSON.stringify({ ...JSON.parse(document.toString()), initial_height: 6 }))
    const until = String(LENGTH - 1)
    return astrolabe(
      ['index', '--until', until, '--network', name],
      { name, rpc: [signed.url], genesis: file },
      { verifies: true },
    )
  }
  const { code, text } = await indexFrom('signed', makeGenesis())
  assert.equal(code, 0, text)
  assert.deepEqual(await query(url, 'select min(height) as first, max(height) as last from net_signed.block'), [
    { first: 5, last: LENGTH - 1 },
  ])
  const strangers = aGenesis({ balances: { [one.text]: 20_000_000n }, validators: [{ name: 'one', stake: 10_000_000n }] })
  const refused = await indexFrom('strangers', Buffer.from(JSON.stringify(strangers)))
  assert.equal(refused.code, 1, refused.text)
  assert.match(refused.text, /the header of height 6 has other validators than the chain/)
})

test('a state exported after validator updates begins with the validators that a node tells, as far as headers prove them', async () => {
  const exportAfterJoin = (name: string, rpc: string[]) => {
    const document = JSON.parse(makeGenesis({ hasCarol: true }).toString())
    const file = join(makeFolder(), 'exported.json')
    writeFileSync(file, JSON.stringify({ ...document, initial_height: JOINED_AT + 1 }))
    const args = ['index', '--until', String(LENGTH - 1), '--network', name]
    return astrolabe(args, { name, rpc, genesis: file }, { verifies: true })
  }
  const chain = { blocks: toRaw(makeSignedChain()), chainId: CHAIN_ID, genesis: makeGenesis() }
  const pruned = { pruned: { blocks: JOINED_AT + 1 } }
  const [honest, liar] = [
    await startNode({ ...chain, faults: pruned }),
    await startNode({ ...chain, faults: { ...pruned, 'tampered-validators': {} } }),
  ]
  const refused = await exportAfterJoin('joined', [liar.url])
  assert.equal(refused.code, 1, refused.text)
  assert.match(refused.text, /the validators that the node tells for height 11 are not those of the header/)
  const { code, text } = await exportAfterJoin('joined', [liar.url, honest.url])
  assert.equal(code, 0, text)
  assert.doesNotMatch(text, /not verified/)
  const [last] = await query(url, 'select max(height) as last from net_joined.block')
  assert.deepEqual(last, { last: LENGTH - 1 })
})

test('an index that was begun with a file is not continued without it', async () => {
  const { code, text } = await astrolabe(['index', '--once'], {})
  assert.equal(code, 1)
  assert.match(text, /^astrolabe: the genesis of the source is not the one this index was made from \(astrolabe-test-1\)$/m)
})

test('a node that lacks the first height is named by doctor, with the height', async () => {
  const { code, text } = await astrolabe(['doctor'], { name: 'other' })
  assert.equal(code, 1)
  assert.match(text, new RegExp(`it begins at height ${EXPORTED + 1} and block 1 is needed`))
})

test('a file that is no genesis is one sentence', async () => {
  const bad = join(makeFolder(), 'bad.json')
  writeFileSync(bad, '{"chain_id": 5}')
  for (const file of [bad, '/nowhere/genesis.json']) {
    const { code, text } = await astrolabe(['index', '--once'], { genesis: file, name: 'other' })
    assert.equal(code, 1)
    assert.match(text, new RegExp(`^astrolabe: ${file} cannot be used as genesis: `, 'm'))
  }
})
