import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { IndexGauges } from '../../src/observability/index-gauges.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { NetworkHealth } from '../../src/observability/network-health.ts'
import { openReader } from '../../src/store/db.ts'
import { query } from '../snapshot/published.ts'
import { writeConfig } from '../support/config-file.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { SCHEMA } from '../support/templates.ts'
import { HEIGHT, indexProvableChain, type ProvableChain } from './provable-chain.ts'

describe('audit --prove', () => {
  let chain: ProvableChain
  before(async () => {
    chain = await indexProvableChain()
  })

  const command = (...words: string[]) => {
    const config = writeConfig(makeFolder(), { networks: [{ rpc: [chain.node.url] }] })
    return runCli([...words, '--config', config, '--database', chain.url, '--data', makeFolder()]).ended
  }
  const audit = (...options: string[]) => command('audit', ...options)
  const change = (statement: string) => query(chain.url, `set search_path to "${SCHEMA}"; ${statement}`)
  const countRecords = async () => {
    const [row] = await query<{ n: string }>(
      chain.url,
      `select (select count(*) from "${SCHEMA}".address) + (select count(*) from "${SCHEMA}".delegation)
            + (select count(*) from "${SCHEMA}".validator) + (select count(*) from "${SCHEMA}".supply)
            + (select count(*) from "${SCHEMA}".balance) as n`,
    )
    return Number(row!.n)
  }

  test('every record agrees with its proof, and the index says when that was', async () => {
    const { code, text } = await audit('--prove', '--all')
    assert.equal(code, 0, text)
    const records = await countRecords()
    assert.ok(records > 60, `${records} records`)
    assert.match(text, new RegExp(`ok {3}I18 all ${records} records agree with proofs of the state after height ${HEIGHT} `))
    const [row] = await query<{ height: number; records: string }>(
      chain.url,
      `select height, records from "${SCHEMA}".state_proof`,
    )
    assert.deepEqual(row, { height: HEIGHT, records: String(records) })
    const db = openReader({ url: chain.url, schema: SCHEMA, max: 1 })
    const health = new NetworkHealth({ name: 'main', db, isIndexer: false, isLive: false, maxLagSeconds: 60 })
    const { state_proven: told } = (await health
      .checks()
      .find(({ name }) => name === 'main.head')!
      .run()) as Record<string, unknown>
    const { proven_at: at, ...proof } = told as { proven_at: string }
    assert.deepEqual(proof, { height: HEIGHT, records })
    assert.match(at, /^20\d\d-/)
    const metrics = createMetrics({ version: '', commit: '' })
    await new IndexGauges(metrics, [{ name: 'main', db, health }]).update()
    await db.end()
    const printed = await metrics.registry.metrics()
    assert.match(printed, new RegExp(`idx_state_proven_height{network="main"} ${HEIGHT}\\b`))
    assert.match(printed, new RegExp(`idx_state_proven_records{network="main"} ${records}\\b`))
    const status = await command('status')
    assert.match(status.text, new RegExp(`main: ${records} records agreed with proofs of the state after height ${HEIGHT} at `))
  })

  test('false balances, stake and supply are named with both amounts, and nothing is told to be proven', async () => {
    await change(`update state_proof set height = 1;
      update address set spendable = spendable + 5 where id = (select id from address where spendable > 0 order by id limit 1);
      update delegation set shares = shares + 1 where (validator_id, address_id) = (select validator_id, address_id from delegation limit 1);
      update supply set amount = amount - 7 where denom = 'utia';
      update validator set jailed = true where id = (select max(id) from validator)`)
    const { code, text } = await audit('--prove', '--all')
    assert.equal(code, 1, text)
    const [, section] = text.split('FAIL I18')
    const differing = section!.split('\n').filter((line) => line.includes('the index has'))
    assert.equal(differing.length, 4, text)
    const [, indexed, proven] =
      /balance of celestia1\w+ in utia, height 40: the index has (\d+), the chain has (\d+) \(proven by 127/.exec(text)!
    assert.equal(BigInt(indexed!) - BigInt(proven!), 5n)
    assert.match(text, /supply of utia, height 40: the index has \d+, the chain has \d+/)
    assert.match(text, /validator celestiavaloper1\w+, height 40: the index has .*jailed true.* the chain has .*jailed false/)
    assert.match(text, /delegation of celestia1\w+ to celestiavaloper1\w+, height 40/)
    const [row] = await query<{ height: number }>(chain.url, `select height from "${SCHEMA}".state_proof`)
    assert.equal(row!.height, 1)
  })

  test('a node without proofs is named with what it says', async () => {
    chain.node.faults.set('pruned-state')
    const { code, text } = await audit('--prove')
    chain.node.faults.clear()
    assert.equal(code, 1)
    assert.match(text, /no node proves the state after height 40: 127\.0\.0\.1:\d+: proof is unexpectedly empty/)
  })
})
