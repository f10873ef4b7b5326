import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readBlocksFrom } from '../../src/api/square/block-store.ts'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { openGuardedApi, type TestApi } from '../access/guarded-api.ts'
import { callOf, connect, type ToolClient, type ToolResult, textOf } from './clients.ts'
import { pricedChain } from './priced-chain.ts'

/**
 * Questions that people ask about a chain, each answered by at most three calls, as an agent would make them: it knows the tools, finds an
 * operation by words of the question, and takes arguments from the answers before.
 */

type Json = Record<string, unknown>
type Answer = Json & { items?: Json[] }
type Step = [tool: string, args: Json | ((before: Answer[]) => Json)]
type Question = { asks: string; steps: Step[]; answer: (last: Answer, all: Answer[]) => boolean }

/** Finds an operation by words, then calls it. */
const look = (words: string, operation: string, args: Json | ((before: Answer[]) => Json) = {}): Step[] => [
  ['find_operation', { words }],
  [
    'call_operation',
    (before) => {
      const found = before.at(-1)!.items!.map((match) => match.operation)
      assert.ok(found.includes(operation), `${words}: ${found.join(', ')}`)
      return { operation, arguments: typeof args === 'function' ? args(before) : args }
    },
  ],
]
const first = (answer: Answer | undefined): Json => answer!.items![0]!
const isUtia = (value: unknown) => /^\d+$/.test(String(value))
const some = ({ items }: Answer) => (items?.length ?? 0) > 0

const QUESTIONS: Question[] = [
  { asks: 'How far is the index?', steps: [['getHead', {}]], answer: ({ last_height }) => last_height === 403 },
  { asks: 'When was the latest block?', steps: [['getBlock', { height: 'latest' }]], answer: ({ height }) => height === 403 },
  {
    asks: 'How many transactions are in the latest block?',
    steps: [['getBlockStats', { height: 'latest' }]],
    answer: ({ tx_count }) => Number.isInteger(tx_count),
  },
  {
    asks: 'Which account is the richest?',
    steps: [['listAddresses', { sort_by: 'spendable', limit: 1 }]],
    answer: (a) => isUtia(first(a).spendable),
  },
  {
    asks: 'What did the richest account do last?',
    steps: [
      ['listAddresses', { sort_by: 'spendable', limit: 10 }],
      [
        'listAddressTransactions',
        ([rich]) => ({ hash: rich!.items!.find(({ last_height }) => (last_height as number) > 300)!.hash, limit: 1 }),
      ],
    ],
    answer: some,
  },
  {
    asks: 'What does a gas unit cost now?',
    steps: look('gas price now', 'get-gas-price'),
    answer: ({ median }) => Number(median) > 0,
  },
  {
    asks: 'What does it cost to post a megabyte?',
    steps: [
      ['call_operation', { operation: 'estimate-gas-for-pfb', arguments: { sizes: [1_000_000] } }],
      ['call_operation', { operation: 'get-gas-price' }],
      ['getPrice', {}],
    ],
    answer: ({ price }, [gas, prices]) => Number(gas!.value) * Number(prices!.median) * Number(price) > 0,
  },
  { asks: 'Which proposals were there?', steps: look('governance proposals', 'list-proposals'), answer: some },
  {
    asks: 'Who voted on the first proposal?',
    steps: look('votes of a proposal', 'list-proposal-votes', { id: 1 }),
    answer: some,
  },
  {
    asks: 'What was the balance of an account on the first day?',
    steps: [
      ['listAddresses', { limit: 1, sort_by: 'spendable' }],
      [
        'call_operation',
        ([list]) => ({ operation: 'get-address', arguments: { hash: first(list).hash, at: '2026-11-15T02:30:00Z' } }),
      ],
    ],
    answer: ({ balance }) => isUtia((balance as Json).spendable),
  },
  {
    asks: 'How did the balance of an account develop?',
    steps: [
      ['listAddresses', { limit: 1, sort_by: 'spendable' }],
      ...look('history of the balance of an account', 'list-address-history', ([list]) => ({ hash: first(list).hash })),
    ],
    answer: some,
  },
  {
    asks: 'Which validators have the most stake?',
    steps: [['listValidators', { limit: 3 }]],
    answer: (a) => a.items!.length === 3,
  },
  {
    asks: 'Does the largest validator miss blocks?',
    steps: [
      ['listValidators', { limit: 1 }],
      ...look('missed blocks uptime of a validator', 'get-validator-uptime', ([list]) => ({ id: first(list).id })),
    ],
    answer: (a) => a.uptime !== undefined,
  },
  {
    asks: 'Was a validator ever jailed?',
    steps: [
      ['listValidators', { limit: 10 }],
      ...look('jails of a validator', 'list-validator-jails', ([list]) => ({ id: first(list).id })),
    ],
    answer: ({ items }) => Array.isArray(items),
  },
  {
    asks: 'Who delegates to the largest validator?',
    steps: [
      ['listValidators', { limit: 1 }],
      ...look('delegators of a validator', 'list-validator-delegators', ([list]) => ({ id: first(list).id })),
    ],
    answer: some,
  },
  {
    asks: 'Which rollup posted most?',
    steps: [['listRollups', { sort_by: 'size', limit: 1 }]],
    answer: (a) => typeof first(a).name === 'string',
  },
  {
    asks: 'How large is the busiest namespace?',
    steps: [['listNamespaces', { sort_by: 'size', limit: 1 }]],
    answer: (a) => Number(first(a).size) > 0,
  },
  {
    asks: 'What was the last blob about?',
    steps: [
      ['listBlobs', { limit: 1 }],
      ...look('content of a blob by commitment', 'get-blob', ([list]) => {
        const { namespace, height, commitment } = first(list)
        return { hash: namespace, height, commitment }
      }),
    ],
    answer: ({ data }) => String(data).length > 0,
  },
  {
    asks: 'What does the last transaction do?',
    steps: [
      ['listTransactions', { limit: 1 }],
      ['listTransactionMessages', ([list]) => ({ hash: first(list).hash })],
    ],
    answer: (a) => /^(Msg|IBC)/.test(String(first(a).type)),
  },
  {
    asks: 'Which transactions failed?',
    steps: [['listTransactions', { status: 'failed', limit: 3 }]],
    answer: (a) => a.items!.every(({ status }) => status === 'failed') && some(a),
  },
  {
    asks: 'What happened on 15 November between half past two and twenty to three?',
    steps: [['listTransactions', { from: '2026-11-15T02:30:00Z', to: '2026-11-15T02:40:00Z', limit: 5 }]],
    answer: (a) => some(a) && a.items!.every(({ time }) => String(time) >= '2026-11-15T02:30'),
  },
  { asks: 'What is 7?', steps: [['search', { query: '7' }]], answer: some },
  { asks: 'How fast is the chain?', steps: [['getTps', { window: '1h' }]], answer: ({ tps }) => typeof tps === 'number' },
  {
    asks: 'How did the number of transactions develop?',
    steps: [['getSeries', { name: 'tx_count', timeframe: 'hour' }]],
    answer: some,
  },
  { asks: 'What is TIA worth?', steps: [['getPrice', {}]], answer: ({ price }) => Number(price) === 5.1 },
  { asks: 'How much TIA is there?', steps: look('total supply of the token', 'list-supply'), answer: some },
  { asks: 'Which tokens came over IBC?', steps: look('ibc transfers', 'list-ibc-transfers'), answer: some },
  { asks: 'Which Hyperlane transfers were made?', steps: look('hyperlane transfers', 'list-hyperlane-transfers'), answer: some },
  {
    asks: 'How can I prove that a block is right?',
    steps: look('proof of a block header signatures', 'get-block-proof', { height: 7 }),
    answer: (a) => Object.keys(a).length > 0,
  },
  {
    asks: 'Which upgrade do validators signal?',
    steps: look('signals for an upgrade of the chain', 'list-upgrades'),
    answer: some,
  },
]

describe('thirty questions to the tools', () => {
  let api: TestApi
  let client: ToolClient
  let source: Awaited<ReturnType<typeof openRecordingSource>>
  before(async () => {
    source = await openRecordingSource(packagePath('data/recordings/devnet'))
    api = await openGuardedApi(await pricedChain(), { mcp: true, blocks: readBlocksFrom(source, () => 'astrolabe-devnet-1') })
    client = await connect(await api.app.listen({ host: '127.0.0.1', port: 0 }))
  })
  after(async () => {
    await client.close()
    await api.close()
    await source.close()
  })

  test('there are thirty, of at most three steps', () => {
    assert.equal(QUESTIONS.length, 30)
    assert.deepEqual(
      QUESTIONS.filter(({ steps }) => steps.length > 3),
      [],
    )
  })

  for (const { asks, steps, answer } of QUESTIONS)
    test(asks, async () => {
      const answers: Answer[] = []
      for (const [tool, args] of steps) {
        const result: ToolResult = await callOf(client)(tool, typeof args === 'function' ? args(answers) : args)
        assert.ok(!result.isError, `${tool}: ${textOf(result)}`)
        answers.push(result.structuredContent as Answer)
      }
      assert.ok(answer(answers.at(-1)!, answers), JSON.stringify(answers.at(-1)).slice(0, 400))
    })
})
