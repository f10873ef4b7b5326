import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { decodeAccount } from '../src/lib/encoding/bech32.ts'
import { packagePath } from '../src/lib/package-path.ts'
import { type Db, openReader } from '../src/store/db.ts'
import { devnetUrl, freshDatabase } from './support/database.ts'
import { fewOf } from './support/long-test.ts'
import { indexRecording, SCHEMA } from './support/templates.ts'

/** State that the chain's own node reported after the last recorded height. */
type Truth = {
  height: number
  denom_owners: { address: string; amount: string }[]
  supply: { denom: string; amount: string }[]
  validators: {
    operator_address: string
    tokens: string
    jailed: boolean
    status: string
    delegator_shares: string
    description: { moniker: string }
  }[]
  delegations: Record<string, { delegator: string; amount: string }[]>
  unbonding: Record<string, { delegator: string; entries: { balance: string; creation_height: string }[] }[]>
  proposals: { id: string; status: string; final_tally_result: Record<string, string> }[]
  module_accounts: { name: string; address: string }[]
  params: Record<string, { params?: Record<string, unknown> }>
  signing_infos: { address: string; index_offset: string; missed_blocks_counter: string }[]
  ibc_channels: { channels?: Channel[] }
}

type Channel = {
  channel_id: string
  port_id: string
  state: string
  ordering: string
  counterparty: { port_id: string; channel_id: string }
  connection_hops: string[]
  version: string
}

const STATUS: Record<string, string> = {
  PROPOSAL_STATUS_PASSED: 'applied',
  PROPOSAL_STATUS_REJECTED: 'rejected',
  PROPOSAL_STATUS_FAILED: 'failed',
  PROPOSAL_STATUS_VOTING_PERIOD: 'active',
  PROPOSAL_STATUS_DEPOSIT_PERIOD: 'inactive',
}

const byteaOf = (address: string) => Buffer.from(decodeAccount(address)!, 'hex')

/** Durations are nanoseconds in the index, a list of coins is text. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map((coin: { denom: string; amount: string }) => coin.amount + coin.denom).join(',')
  const text = String(value)
  if (/^\d+s$/.test(text)) return `${text.slice(0, -1)}000000000`
  return /^\d+\.\d+$/.test(text) ? String(Number(text)) : text
}

for (const name of fewOf(['devnet', 'test-1', 'test-2'], 1))
  describe(`recorded chain ${name}`, () => {
    const truth = JSON.parse(readFileSync(packagePath('data/recordings', name, 'truth.json'), 'utf8')) as Truth
    let sql: Db
    before(async () => {
      const url = name === 'devnet' ? devnetUrl : await freshDatabase()
      if (url !== devnetUrl) await indexRecording(url, name)
      sql = openReader({ url, schema: SCHEMA, max: 2 })
    })
    after(() => sql.end())

    test(`every balance and the supply agree with the chain`, async () => {
      const owners = new Map(truth.denom_owners.map(({ address, amount }) => [decodeAccount(address)!, amount]))
      const rows = await sql<{ address: Buffer; spendable: string }[]>`select address, spendable from address`
      assert.deepEqual(
        new Map(rows.filter((row) => row.spendable !== '0').map((row) => [row.address.toString('hex'), row.spendable])),
        new Map([...owners].map(([address, amount]) => [address, amount])),
      )
      const supply = await sql<
        { denom: string; amount: string }[]
      >`select denom, amount from supply where amount <> 0 order by denom`
      assert.deepEqual(
        supply.map(({ denom, amount }) => ({ denom, amount })),
        truth.supply.toSorted((a, b) => (a.denom < b.denom ? -1 : 1)),
      )
    })

    test(`stake, shares, jail and bond state of every validator agree`, async () => {
      const rows = await sql<{ moniker: string; stake: string; shares: string; jailed: boolean; bonded: boolean }[]>`
      select moniker, stake, shares, jailed, bonded from validator where stake > 0 order by moniker`
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        truth.validators
          .map((v) => ({
            moniker: v.description.moniker,
            stake: v.tokens,
            shares: v.delegator_shares,
            jailed: v.jailed,
            bonded: v.status === 'BOND_STATUS_BONDED',
          }))
          .toSorted((a, b) => (a.moniker < b.moniker ? -1 : 1)),
      )
    })

    test(`every delegation and unbonding entry agrees`, async () => {
      for (const validator of truth.validators) {
        const operator = byteaOf(validator.operator_address)
        const delegations = await sql<{ address: Buffer; amount: string }[]>`
        select a.address, d.amount from delegation d join validator v on v.id = d.validator_id join address a on a.id = d.address_id
        where v.operator = ${operator}`
        assert.deepEqual(
          new Map(delegations.map((row) => [row.address.toString('hex'), row.amount])),
          new Map((truth.delegations[validator.operator_address] ?? []).map((d) => [decodeAccount(d.delegator)!, d.amount])),
        )
        const entries = await sql<{ address: Buffer; amount: string; height: number }[]>`
        select a.address, u.amount, u.height from undelegation u join validator v on v.id = u.validator_id join address a on a.id = u.address_id
        where v.operator = ${operator} order by u.id`
        const expected = (truth.unbonding[validator.operator_address] ?? []).flatMap((u) =>
          u.entries.map((e) => `${decodeAccount(u.delegator)} ${e.balance} ${e.creation_height}`),
        )
        assert.deepEqual(
          entries.map((row) => `${row.address.toString('hex')} ${row.amount} ${row.height}`).sort(),
          expected.sort(),
        )
      }
    })

    test(`status and tally of every proposal agree`, async () => {
      for (const proposal of truth.proposals) {
        const [row] = await sql<Record<string, string>[]>`select * from proposal where id = ${Number(proposal.id)}`
        assert.equal(row?.status, STATUS[proposal.status], `proposal ${proposal.id}`)
        for (const option of ['yes', 'no', 'abstain', 'no_with_veto'])
          assert.equal(
            row?.[`${option}_voting_power`],
            proposal.final_tally_result[`${option}_count`],
            `${option} of proposal ${proposal.id}`,
          )
      }
    })

    test(`every parameter that the index knows agrees`, async () => {
      const rows = await sql<{ module: string; name: string; value: string }[]>`select module, name, value from constant`
      const known = new Map(rows.map((row) => [`${row.module}.${row.name}`, row.value]))
      let compared = 0
      for (const module of ['auth', 'blob', 'distribution', 'gov', 'slashing', 'staking']) {
        for (const [key, value] of Object.entries(truth.params[module]?.params ?? {})) {
          const stored = known.get(`${module}.${key}`)
          if (stored === undefined && module === 'gov') continue
          assert.equal(plain(stored), plain(value), `${module}.${key}`)
          compared++
        }
      }
      assert.ok(compared > 20)
    })

    test(`module accounts have their names, channels their state`, async () => {
      for (const { name: module, address } of truth.module_accounts) {
        const [row] = await sql<{ name: string | null }[]>`select name from address where address = ${byteaOf(address)}`
        assert.equal(row?.name, module)
      }
      for (const channel of truth.ibc_channels.channels ?? []) {
        const [row] = await sql`
          select status, ordered, connection_id, counterparty_port_id, counterparty_channel_id, version
          from ibc_channel where port_id = ${channel.port_id} and channel_id = ${channel.channel_id}`
        assert.deepEqual(
          { ...row },
          {
            status: channel.state === 'STATE_OPEN' ? 'opened' : channel.state === 'STATE_CLOSED' ? 'closed' : 'initialization',
            ordered: channel.ordering === 'ORDER_ORDERED',
            connection_id: channel.connection_hops[0],
            counterparty_port_id: channel.counterparty.port_id,
            counterparty_channel_id: channel.counterparty.channel_id,
            version: channel.version,
          },
        )
      }
    })

    test(`signatures that the chain missed of a validator in its window are missing here`, async () => {
      const [window] = await sql<{ value: string }[]>`
        select value from constant where module = 'slashing' and name = 'signed_blocks_window'`
      let blocks = 0
      for (const { address, index_offset, missed_blocks_counter } of truth.signing_infos) {
        const watched = Math.min(Number(window!.value), Number(index_offset))
        const [row] = await sql<{ missed: number }[]>`
          select count(*)::int as missed
          from block b
          join validator v on v.cons_address = ${byteaOf(address)}
          where b.height > ${truth.height - watched}
            and (length(b.signers) * 8 <= v.id or get_bit(b.signers, v.id) = 0)`
        assert.equal(row?.missed, Number(missed_blocks_counter), address)
        blocks += watched
      }
      assert.ok(blocks > 0)
    })
  })
