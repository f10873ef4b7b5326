import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase } from '../../../test/support/database.ts'
import { SCHEMA } from '../../../test/support/templates.ts'
import { openWriterSql } from '../../../test/support/writer-sql.ts'
import { encodeAddress } from '../../lib/encoding/bech32.ts'
import { openTestApi, type TestApi } from '../testing.ts'

type Found = { type: string; result: Record<string, unknown> & { height: number; hash: string; name: string; moniker: string } }

describe('search over the recorded chain', () => {
  let api: TestApi
  let url: string
  const search = async (text: string): Promise<Found[]> => (await api.get(`/v1/search?query=${encodeURIComponent(text)}`)).json()
  const types = (found: Found[]) => found.map(({ type }) => type)
  before(async () => {
    url = await freshDatabase('devnet')
    const sql = openWriterSql(url, SCHEMA)
    await sql`
      insert into celestial (id, address, image_url, change_id, status)
      select name, (select address from address where id = 4), '', 1, status
      from (values ('stargazer', 'PRIMARY'), ('star_100%', 'VERIFIED'), ('Звезда·Ångström', 'VERIFIED')) as v (name, status)`
    await sql.end()
    api = await openTestApi({ url })
  })
  after(() => api.close())

  test('a height gives its block first and the search continues', async () => {
    const found = await search('403')
    assert.equal(found[0]!.type, 'block')
    assert.equal(found[0]!.result.height, 403)
    assert.ok('proposer' in found[0]!.result && !('stats' in found[0]!.result))
    assert.deepEqual(await search('999999999999999999'), [])
    assert.deepEqual(types(await search('1')).slice(0, 2), ['block', 'namespace'])
  })

  test('a hash finds blocks by hash and data hash, and txs', async () => {
    const block = (await api.get('/v1/block/20')).json() as { hash: string; data_hash: string }
    for (const text of [block.hash, block.hash.toLowerCase(), `0x${block.hash}`, block.data_hash]) {
      const [found] = await search(text)
      assert.deepEqual([found!.type, found!.result.height], ['block', 20], text)
      assert.ok(!('proposer' in found!.result))
    }
    const [tx] = (await api.get('/v1/tx?height=20&limit=1')).json() as { hash: string }[]
    const [found] = await search(tx!.hash.toUpperCase())
    assert.deepEqual([found!.type, found!.result.hash], ['tx', tx!.hash])
    assert.ok(!('signers' in found!.result))
    assert.deepEqual(await search('f'.repeat(64)), [])
  })

  test('the first of all blocks without transactions is found by the data hash they share', async () => {
    const empty = (await api.get('/v1/block/1')).json() as { data_hash: string }
    const heights = async (text: string) => (await search(text)).map(({ result }) => result.height)
    assert.deepEqual(await heights(empty.data_hash), [1])
    const sql = openWriterSql(url, SCHEMA)
    await sql`
      insert into block
      select copy.*
      from block b
      cross join generate_series(1000, 2200) as later
      cross join jsonb_populate_record(b, jsonb_build_object('height', later)) as copy
      where b.height = 1`
    await sql.end()
    // Another form of the same text, for which no answer is kept.
    assert.deepEqual(await heights(`0x${empty.data_hash}`), [1])
  })

  test('an address finds its account, an operator its validator first', async () => {
    assert.deepEqual(types(await search('celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78')), ['address'])
    assert.deepEqual(types(await search('celestiavaloper1w4dvevy0zm70yss42h4k597at605fn38z8ezgp')), ['validator', 'address'])
    assert.deepEqual(await search('celestia1r726yra3euctv92qqfxh45xztewgp2qj9w22dg'), [])
  })

  test('a namespace is found by hex with version and by base64', async () => {
    const [namespace] = (await api.get('/v1/namespace?limit=1')).json() as { hash: string; namespace_id: string }[]
    for (const text of [namespace!.hash, `00${namespace!.namespace_id}`, namespace!.namespace_id]) {
      const [found] = await search(text)
      assert.deepEqual([found!.type, found!.result.hash], ['namespace', namespace!.hash], text)
    }
  })

  test('a namespace is found by the name that lists show, and by every form of its hash', async () => {
    for (const text of ['astria-dx', 'ASTRIA-dx', 'stria-d'])
      assert.deepEqual(
        (await search(text)).map(({ type, result }) => [type, result.name]),
        [['namespace', 'astria-dx']],
        text,
      )
    const [{ result }] = (await search('astria-dx')) as [Found]
    const { hash, namespace_id } = result as unknown as { hash: string; namespace_id: string }
    const bytes = Buffer.from(hash, 'base64')
    for (const text of [hash, hash.replace('=', ''), bytes.toString('base64url'), `0x00${namespace_id}`, `0x${namespace_id}`])
      assert.deepEqual(
        (await search(text)).map(({ result }) => result.hash),
        [hash],
        text,
      )
    assert.deepEqual(types(await search('\\000')), [])
  })

  test('a blob is found by its commitment, in base64 of either alphabet and in hex', async () => {
    const blobs = (await api.get('/v1/blob?limit=100')).json() as { commitment: string; height: number }[]
    const blob = blobs.find(({ commitment }) => /[+/]/.test(commitment))!
    const bytes = Buffer.from(blob.commitment, 'base64')
    for (const text of [blob.commitment, bytes.toString('base64url'), bytes.toString('hex'), `0x${bytes.toString('hex')}`]) {
      const [found] = await search(text)
      assert.deepEqual(
        [found!.type, found!.result.commitment, found!.result.height],
        ['blob', blob.commitment, blob.height],
        text,
      )
      assert.ok('namespace' in found!.result)
    }
  })

  test('a validator is found by its consensus address, in hex and bech32', async () => {
    const [validator] = (await api.get('/v1/validators?limit=1')).json() as { cons_address: string; id: number }[]
    const hex = validator!.cons_address
    for (const text of [hex, hex.toLowerCase(), `0x${hex}`, encodeAddress('celestiavalcons', hex.toLowerCase())]) {
      const [found] = await search(text)
      assert.deepEqual([found!.type, found!.result.id], ['validator', validator!.id], text)
    }
  })

  test('words are found anywhere in names, wildcards are letters', async () => {
    assert.deepEqual(
      (await search('MOVE')).map(({ type, result }) => [type, result.name]),
      [
        ['rollup', 'Movement Labs'],
        ['namespace', 'movement'],
      ],
    )
    assert.deepEqual(types(await search('observatory')), ['validator', 'validator', 'validator', 'proposal'])
    assert.deepEqual(types(await search('hibachi')), ['namespace'], 'an unverified rollup is not found')
    for (const text of ['zzzzzz', "' or 1=1 --", '\\', 'star%', 's_a']) assert.deepEqual(await search(text), [], text)
    for (const text of ['%', '_', '0%', 'r_1']) assert.deepEqual(types(await search(text)), ['address'], text)
  })

  const records = async (text: string) =>
    (await search(text)).filter(({ result }) => 'detail' in result).map(({ type, result }) => [type, result.id, result.name])

  test('a proposal is found by its number and by a part of its title', async () => {
    assert.deepEqual(types(await search('1')), ['block', ...Array(7).fill('namespace'), 'address', 'proposal'])
    for (const text of ['#1', 'proposal 1', 'Proposal #1', 'the OBSERV'])
      assert.deepEqual(await records(text), [['proposal', '1', 'Fund the observatory']], text)
    assert.deepEqual(await records('#99999999999999999999'), [])
  })

  test('clients and channels of IBC are found by their names and by the chain behind them', async () => {
    const sql = openWriterSql(url, SCHEMA)
    await sql`
      insert into ibc_client (
        client_id, number, type, chain_id, height, created_at, updated_at, latest_revision_number, latest_revision_height,
        frozen_revision_number, frozen_revision_height, trusting_period, unbonding_period, max_clock_drift, trust_level_numerator,
        trust_level_denominator, connection_count
      ) values ('07-tendermint-5', 5, 'tendermint', 'osmosis-1', 9, now(), now(), 1, 1, 0, 0, 1, 1, 1, 1, 3, 0)`
    await sql`update ibc_channel set client_id = '07-tendermint-5' where channel_id = 'channel-0'`
    await sql.end()
    const client = ['ibc_client', '07-tendermint-5', 'osmosis-1']
    const channel = ['ibc_channel', 'channel-0', 'osmosis-1']
    assert.deepEqual(await records('07-Tendermint-5'), [client])
    assert.deepEqual(await records('CHANNEL-0'), [channel])
    assert.deepEqual(await records('osmosis'), [client, channel])
    assert.deepEqual(await records('5'), [], 'a number is no part of an id')
  })

  test('a domain of Hyperlane is found by its number, an upgrade by its version', async () => {
    const [warp] = (await api.get('/v1/hyperlane/transfer?limit=1')).json() as { counterparty: { domain: number } }[]
    const domain = String(warp!.counterparty.domain)
    assert.deepEqual(await records(domain), [['hyperlane_domain', domain, `domain ${domain}`]])
    const sql = openWriterSql(url, SCHEMA)
    await sql`
      insert into upgrade (version, height, time, voting_power, voted_power, signals_count, status)
      values (77, 5, now(), 3, 1, 1, 'waiting_upgrade')`
    await sql`
      insert into registry (name, document, updated_at)
      values ('hyperlane', ${JSON.stringify({ [domain]: { name: 'Far Away' } })}::text::jsonb, now())`
    await sql.end()
    for (const text of ['v77', 'version 77', 'Upgrade 77'])
      assert.deepEqual(await records(text), [['upgrade', '77', 'Version 77']], text)
    assert.deepEqual(await records('far aw'), [['hyperlane_domain', domain, 'Far Away']])
  })

  test('a validator is found by the beginning of its operator address', async () => {
    const operator = 'celestiavaloper1w4dvevy0zm70yss42h4k597at605fn38z8ezgp'
    for (const length of [22, 30, operator.length - 7])
      assert.deepEqual(
        (await search(operator.slice(0, length))).map(({ type, result }) => [type, result.moniker]),
        [['validator', 'observatory-2']],
        `${length} characters`,
      )
    assert.deepEqual(await search('celestiavaloper1zzzzzz'), [])
  })

  test('an account is found by any of its names and shows the one that was found', async () => {
    const [found] = await search('gazer')
    assert.equal(found!.type, 'address')
    assert.deepEqual(found!.result.celestials, { name: 'stargazer', image_url: '', status: 'PRIMARY', primary: true })
    const [other] = await search('star_100')
    assert.deepEqual(other!.result.celestials, { name: 'star_100%', image_url: '', status: 'VERIFIED' })
    assert.ok((other!.result.balance as { spendable: string }).spendable.length > 0)
  })

  test('letters of every alphabet match in either case', async () => {
    for (const text of ['звезда', 'ЗВЕЗДА', 'ЕЗда·å', 'ångSTRÖM', 'Ö'])
      assert.deepEqual(types(await search(text)), ['address'], text)
    for (const text of ['звезд.', '.*ö', '[ö]', '(?i)ö', 'ö|', 'ß']) assert.deepEqual(await search(text), [], text)
  })

  test('text may be as long as a url', async () => {
    for (const letter of ['x', '7', 'f', '%C3%A9']) {
      const answer = await api.get(`/v1/search?query=${letter.repeat(8000 / letter.length)}`)
      assert.deepEqual([answer.status, answer.text], [200, '[]\n'], letter)
    }
  })

  test('text is required', async () => {
    for (const query of ['', '?query=', '?query=%00', '?query=%ff']) {
      const answer = await api.get(`/v1/search${query}`)
      assert.equal(answer.status, 400, query.slice(0, 20))
      assert.equal((answer.json() as { param: string }).param, 'query')
    }
  })
})
