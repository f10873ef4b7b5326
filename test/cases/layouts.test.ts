import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Db } from '../../src/store/db.ts'
import {
  aBlob,
  aGenesis,
  anAccount,
  anEvent,
  aPayForBlobs,
  aSend,
  aTx,
  aTypedEvent,
  aValidator,
  mintedCoins,
  moduleText,
  movedCoins,
} from '../builders.ts'
import { type BuiltChain, indexAndReplay, indexBlocks } from '../support/built-chain.ts'
import { SCHEMA } from '../support/templates.ts'
import { type Height, type Layout, tellHeights } from './node-layouts.ts'
import { moneyOf, plain } from './read-rows.ts'
import {
  delegates,
  executes,
  proposes,
  redelegates,
  type Sdk,
  undelegates,
  votes,
  withdrawsCommission,
  withdrawsReward,
} from './sdk-actions.ts'
import { burned, unbondingDone } from './staking-blocks.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]
const [one, two] = [aValidator('one'), aValidator('two')]
const DEPOSIT = 1_000_000_000n
const REQUESTED = 1_000_001n

const genesis = (appVersion: number) => ({
  ...aGenesis({
    balances: { [alice.text]: 5_000_000_000n, [bob.text]: 50_000_000n, [one.text]: 11_000_000n, [two.text]: 11_000_000n },
    validators: [
      { name: 'one', stake: 10_000_000n },
      { name: 'two', stake: 10_000_000n },
    ],
    appState: { slashing: { params: { slash_fraction_downtime: '0.010000000000000000' } } },
  }),
  consensus_params: { version: { app: String(appVersion) } },
})

/** Coins of the block, and what the distribution module makes of them. */
const begin = (sdk: Sdk) => [
  ...mintedCoins('mint', '1000utia'),
  ...movedCoins(moduleText('mint'), moduleText('distribution'), '1000utia'),
  anEvent('mint', { inflation_rate: '0.08', annual_provisions: '1.0', amount: '1000' }),
  ...(sdk === '0.46' ? [anEvent('proposer_reward', { amount: '', validator: one.operator })] : []),
  ...[one, two].flatMap(({ operator }) => [
    anEvent('commission', { amount: '50.000000000000000000utia', validator: operator }),
    anEvent('rewards', { amount: '500.000000000000000000utia', validator: operator }),
  ]),
]

const paidForBlobs = (sdk: Sdk) => {
  const tx = aPayForBlobs(alice.text, [aBlob('words', 'hello'), aBlob('more', 'world')], { sdk })
  const event = aTypedEvent('celestia.blob.v1.EventPayForBlobs', { signer: alice.text, blob_sizes: [5, 5], namespaces: [] })
  if (sdk === '0.50') event.attributes.push(['msg_index', '0'])
  return { ...tx, result: { ...tx.result, events: [...tx.result.events, event] } }
}

function heights(sdk: Sdk): Height[] {
  const by = (from: string, ...actions: Parameters<typeof aTx>[0]['actions']) => aTx({ from, actions, sdk })
  const told: Pick<Height, 'txs' | 'end'>[] = [
    {
      txs: [
        aSend(alice.text, bob.text, 5n, { sdk }),
        by(alice.text, delegates(sdk, alice.text, one.operator, 3_333_333n)),
        paidForBlobs(sdk),
      ],
      end: [],
    },
    {
      txs: [
        // Two messages in a tx, the second with rewards on the way.
        by(alice.text, proposes(sdk, alice.text, 1, DEPOSIT), delegates(sdk, alice.text, one.operator, 1_000_000n, 111n)),
        aSend(bob.text, alice.text, 7n, { sdk, code: 5, log: 'failed to execute message' }),
      ],
      end: [],
    },
    {
      txs: [
        by(
          bob.text,
          executes(bob.text, [
            delegates(sdk, alice.text, two.operator, 500_000n),
            votes(sdk, alice.text, 1, [
              ['YES', '0.600000000000000000'],
              ['NO', '0.400000000000000000'],
            ]),
          ]),
        ),
        by(one.text, votes(sdk, one.text, 1, [['YES', '1.000000000000000000']]), withdrawsCommission(sdk, one, 60n)),
      ],
      end: [],
    },
    {
      txs: [
        by(
          alice.text,
          undelegates(sdk, alice.text, one.operator, 1_111_111n, { height: 4, reward: 42n }),
          redelegates(sdk, alice.text, one.operator, two.operator, 700_000n, 4),
          withdrawsReward(sdk, alice.text, two.operator, 33n),
        ),
      ],
      end: [],
    },
    { txs: [], end: [] },
    {
      txs: [],
      end: [
        ...movedCoins(moduleText('gov'), alice.text, `${DEPOSIT}utia`),
        anEvent('active_proposal', { proposal_id: '1', proposal_result: 'proposal_passed' }),
      ],
    },
    // The validator is slashed, and gives back less than it is asked for.
    { txs: [], end: [] },
    {
      txs: [by(alice.text, undelegates(sdk, alice.text, one.operator, REQUESTED, { height: 8, given: REQUESTED - LOST }))],
      end: [],
    },
    ...[9, 10, 11, 12, 13].map(() => ({ txs: [aSend(alice.text, bob.text, 1n, { sdk })], end: [] })),
    { txs: [], end: unbondingDone(alice.text, one.operator, 1_111_111n) },
  ]
  return told.map((each, i) => ({ ...each, begin: [...begin(sdk), ...(i === 6 ? SLASH : [])] }))
}

const BURNED = 120_000n
const SLASH = [
  ...burned('bonded', BURNED),
  anEvent('slash', {
    address: one.consText,
    power: '12',
    reason: 'missing_signature',
    jailed: one.consText,
    burned_coins: String(BURNED),
  }),
]
/** At the rate after the slash, the way to shares and back loses this much. */
const LOST = (() => {
  const total = 10_000_000n + 3_333_333n + 1_000_000n - 1_111_111n - 700_000n
  const tokens = total - BURNED
  const shares = (total * 10n ** 18n * REQUESTED) / tokens
  const worth = (shares * tokens * 2n + total) / (total * 2n) / 10n ** 18n
  return REQUESTED - worth
})()

/** Columns in which the writing shows, beside those of events: what names the app version, hashes over it, and how often was committed. */
const WRITING: Record<string, string[]> = {
  block: ['version_app', 'hash', 'parent_hash'],
  head: ['version', 'last_hash', 'commit_number'],
}

/** Rows of every table, without events and how many there are. */
async function contentOf(sql: Db): Promise<Record<string, object[]>> {
  const tables = await sql<{ name: string; events: string[] }[]>`
    select table_name as name, coalesce(array_agg(column_name::text) filter (where column_name like '%events%'), '{}') as events
    from information_schema.columns where table_schema = ${SCHEMA} and table_name not in ('undo', 'migration') group by 1`
  const content: Record<string, object[]> = {}
  for (const { name, events } of tables) {
    const without = [...(WRITING[name] ?? []), ...events]
    const rows = await sql.unsafe<{ row: object }[]>(`select to_jsonb(t) - $1::text[] as row from "${name}" t order by 1`, [
      without,
    ])
    content[name] = rows.map(({ row }) => row)
  }
  return content
}

const LAYOUTS: { layout: Layout; sdk: Sdk; appVersion: number }[] = [
  { layout: '0.34', sdk: '0.46', appVersion: 1 },
  { layout: 'stored', sdk: '0.46', appVersion: 2 },
  { layout: 'multiplexed', sdk: '0.46', appVersion: 3 },
  { layout: '0.38', sdk: '0.50', appVersion: 4 },
]

describe('the same actions in the writing of every generation', () => {
  let chain: BuiltChain
  let expected: Record<string, object[]>
  before(async () => {
    chain = await indexAndReplay(genesis(9), tellHeights(heights('0.50'), '0.38', 9))
    expected = await contentOf(chain.sql)
  })
  after(() => chain.close())

  test('are what was meant', async () => {
    assert.equal(LOST, 1n)
    const rows = await chain.sql`select moniker, jailed, stake from validator where operator is not null order by moniker`
    assert.deepEqual(plain(rows), [
      {
        moniker: 'one',
        jailed: true,
        stake: String(10_000_000n + 3_333_333n + 1_000_000n - 1_111_111n - 700_000n - BURNED - REQUESTED + 1n),
      },
      { moniker: 'two', jailed: false, stake: '11200000' },
    ])
    const money = await moneyOf(chain.sql, alice)
    assert.equal(money?.unbonding, String(REQUESTED - 1n))
    const [proposal] = plain(await chain.sql`select status, votes_count, yes, no, deposit from proposal`)
    assert.deepEqual(proposal, { status: 'applied', votes_count: 2, yes: 2, no: 1, deposit: String(DEPOSIT) })
  })

  for (const { layout, sdk, appVersion } of LAYOUTS) {
    test(`app ${appVersion}, SDK ${sdk}, events ${layout}: the same tables`, async (t) => {
      const other = await indexBlocks(genesis(appVersion), tellHeights(heights(sdk), layout, appVersion))
      t.after(() => other.close())
      const content = await contentOf(other.sql)
      for (const [table, rows] of Object.entries(expected)) assert.deepEqual(content[table], rows, table)
    })
  }
})
