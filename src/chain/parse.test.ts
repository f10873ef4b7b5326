import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeFault } from '../lib/errors.ts'
import { type BlockSpec, type ForgedBlock, forgeBlock, sealBlock, toRawBlock } from '../simulation/node/forge.ts'
import { parseRawBlock } from './parse.ts'

const CHAIN = { chainId: 'forged-1' }
const spec: BlockSpec = { ...CHAIN, height: 7, time: '2026-11-15T02:25:24.033799512Z' }
const tx = new Uint8Array([1, 2, 3, 250])

const parse = (forged: ForgedBlock) => parseRawBlock(toRawBlock(forged), CHAIN)
const withText = (part: 'block' | 'results', text: string) => {
  const raw = toRawBlock(forgeBlock({ ...spec, txs: [tx] }))
  return parseRawBlock({ ...raw, [part]: new TextEncoder().encode(text) }, CHAIN)
}
const isFault = (code: string) => (error: unknown) =>
  error instanceof NodeFault && error.code === code && error.facts.height === 7

test('a whole block is read in plain units', () => {
  const block = parse(
    forgeBlock({
      ...spec,
      txs: [tx, new Uint8Array([9])],
      txResults: [{ code: 5, codespace: 'sdk', gas_wanted: '9007199254740993', log: 'né', signers: ['celestia1x'] }],
      events: [{ type: 'mint', attributes: [{ key: 'mode', value: 'BeginBlock' }] }],
      squareSize: 4,
    }),
  )
  assert.deepEqual(block.txs, [tx, new Uint8Array([9])])
  assert.equal(block.squareSize, 4)
  assert.equal(block.beginEventsCount, 1)
  assert.equal(block.time, spec.time)
  assert.deepEqual(block.txResults[0], {
    code: 5,
    codespace: 'sdk',
    gasWanted: 9007199254740993n,
    gasUsed: 0n,
    log: 'né',
    events: [],
    signers: ['celestia1x'],
  })
  assert.equal(block.consensusParamUpdates, undefined)
})

test('a power that is left out is a removal', () => {
  const ed25519 = Buffer.alloc(32, 1).toString('base64')
  const pub_key = { Sum: { type: 'tendermint.crypto.PublicKey_Ed25519', value: { ed25519 } } }
  const block = parse(forgeBlock({ ...spec, validatorUpdates: [{ pub_key }, { pub_key, power: '12' }] }))
  const consAddress = '72CD6E8422C407FB6D098690F1130B7DED7EC2F7'
  assert.deepEqual(block.validatorUpdates, [
    { consAddress, publicKey: '01'.repeat(32), power: 0n },
    { consAddress, publicKey: '01'.repeat(32), power: 12n },
  ])
})

test('evidence names the accused validators', () => {
  const address = 'AB'.repeat(20)
  const list = [
    {
      type: 'tendermint/DuplicateVoteEvidence',
      value: { vote_a: { height: '5', validator_address: address }, Timestamp: '2026-11-15T02:25:20Z' },
    },
    {
      type: 'tendermint/LightClientAttackEvidence',
      value: { CommonHeight: '4', ByzantineValidators: [{ address }, { address }], Timestamp: '2026-11-15T02:25:19Z' },
    },
    { type: 'tendermint/Novel', value: {} },
  ]
  const { evidence } = parse(forgeBlock({ ...spec, evidence: { list, hash: 'EE'.repeat(32) } }))
  assert.deepEqual(
    evidence.map((entry) => [entry.kind, entry.validatorAddress, entry.height]),
    [
      ['duplicate_vote', address, 5],
      ['light_client_attack', address, 4],
      ['light_client_attack', address, 4],
      ['tendermint/Novel', '', 7],
    ],
  )
})

test('null lists are empty where the block has nothing', () => {
  const forged = forgeBlock(spec)
  forged.block.block.data.txs = null
  forged.block.block.evidence.evidence = null
  forged.block.block.last_commit.signatures = null
  const block = parse(forged)
  assert.deepEqual([block.txs, block.evidence, block.events, block.validatorUpdates], [[], [], [], []])
})

test('text that is not a JSON object is a fault', () => {
  const whole = new TextDecoder().decode(toRawBlock(forgeBlock(spec)).block)
  for (const text of ['', '<html>busy</html>', whole.slice(0, -1), whole.slice(0, 200), `${'['.repeat(200_000)}`]) {
    assert.throws(() => withText('block', text), isFault('not_json'))
  }
  for (const text of ['[]', 'null', '7', '"{}"', '{}']) assert.throws(() => withText('block', text), isFault('bad_field'))
  assert.throws(() => withText('results', ''), isFault('not_json'))
  assert.throws(() => withText('results', '{"height":7}'), isFault('bad_field'))
})

test('a lost block is a fault of the node', () => {
  assert.throws(
    () => withText('block', '{"block_id":{"hash":"","parts":{"total":0,"hash":""}},"block":null}'),
    isFault('missing_block'),
  )
})

const lies: [string, string, (forged: ForgedBlock) => void][] = [
  [
    'another chain',
    'wrong_chain',
    ({ block }) => {
      block.block.header.chain_id = 'forged-2'
    },
  ],
  [
    'another height in the header',
    'wrong_height',
    ({ block }) => {
      block.block.header.height = '8'
    },
  ],
  [
    'another height in the results',
    'wrong_height',
    ({ results }) => {
      results.height = '6'
    },
  ],
  [
    'a changed header',
    'header_hash',
    ({ block }) => {
      block.block.header.app_hash = 'AA'.repeat(32)
    },
  ],
  [
    'a changed hash',
    'header_hash',
    ({ block }) => {
      block.block_id = { ...block.block_id, hash: 'AA'.repeat(32) }
    },
  ],
  [
    'a commit of another block',
    'commit_hash',
    ({ block }) => {
      block.block.last_commit.block_id = block.block_id
    },
  ],
  [
    'null results for a tx',
    'missing_results',
    ({ results }) => {
      results.txs_results = null
    },
  ],
  [
    'empty results for a tx',
    'missing_results',
    ({ results }) => {
      results.txs_results = []
    },
  ],
  [
    'a result too many',
    'result_count',
    ({ results }) => {
      results.txs_results = [...results.txs_results!, ...results.txs_results!]
    },
  ],
  [
    'a hash that is not hex',
    'bad_field',
    ({ block }) => {
      block.block.header.data_hash = 'zz'.repeat(32)
    },
  ],
  [
    'a hash of wrong length',
    'bad_field',
    ({ block }) => {
      block.block.header.data_hash = 'AA'
    },
  ],
  [
    'a time that is none',
    'bad_field',
    ({ block }) => {
      block.block.header.time = 'yesterday'
    },
  ],
  [
    'a tx that is not base64',
    'bad_field',
    ({ block }) => {
      block.block.data.txs = ['****']
    },
  ],
  [
    'a tx of wrong padding',
    'bad_field',
    ({ block }) => {
      block.block.data.txs = ['AAA']
    },
  ],
  [
    'a tx that is no text',
    'bad_field',
    ({ block }) => {
      block.block.data.txs = [1 as never]
    },
  ],
  [
    'txs that are no list',
    'bad_field',
    ({ block }) => {
      block.block.data.txs = {} as never
    },
  ],
  [
    'a huge number',
    'bad_field',
    ({ results }) => {
      results.txs_results![0]!.gas_used = '1e400'
    },
  ],
  [
    'a number where text belongs',
    'bad_field',
    ({ results }) => {
      results.txs_results![0]!.gas_used = 12 as never
    },
  ],
  [
    'a code that is text',
    'bad_field',
    ({ results }) => {
      results.txs_results![0]!.code = '0' as never
    },
  ],
  [
    'an event without a type',
    'bad_field',
    ({ results }) => {
      results.finalize_block_events = [{} as never]
    },
  ],
  [
    'a missing square size',
    'bad_field',
    ({ block }) => {
      delete (block.block.data as Partial<typeof block.block.data>).square_size
    },
  ],
]

for (const [name, code, lie] of lies) {
  test(`${name} is a fault`, () => {
    const forged = forgeBlock({ ...spec, txs: [tx] })
    lie(forged)
    assert.throws(() => parse(forged), isFault(code))
  })
}

test('signatures that the header does not seal are a fault', () => {
  const signatures = [{ block_id_flag: 2, validator_address: 'AB'.repeat(20), timestamp: spec.time, signature: 'AAAA' }]
  const forged = forgeBlock({ ...spec, signatures })
  assert.equal(parse(forged).lastCommit.signatures.length, 1)
  forged.block.block.last_commit.signatures = []
  assert.throws(() => parse(forged), isFault('commit_hash'))
})

test('evidence that the header seals must be there', () => {
  const forged = forgeBlock({ ...spec, evidence: { list: [], hash: 'EE'.repeat(32) } })
  sealBlock(forged)
  assert.throws(() => parse(forged), isFault('evidence_hash'))
})
