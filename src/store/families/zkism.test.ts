import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, StateBench } from '../../../test/state-bench.ts'
import type { StateTable } from '../state/table.ts'
import type { ZkIsmRow } from './zkism.ts'
import { createZkIsmFamily } from './zkism.ts'

test('an ISM keeps its present state; each update and each message is a row', () => {
  const bench = new StateBench(createZkIsmFamily)
  const isms = [...bench.state.tables()].find((table) => table.def.name === 'zkism') as StateTable<ZkIsmRow>
  bench.play(5, [
    {
      kind: 'zkism',
      ism: 'aa',
      creator: account(1),
      state: '00',
      merkleTreeAddress: 'bb',
      groth16Vkey: 'cc',
      stateTransitionVkey: 'dd',
      stateMembershipVkey: 'ee',
      tx: 0,
    },
  ])
  const rows = bench.play(6, [
    { kind: 'zkism-update', ism: 'aa', signer: account(2), state: '01', tx: 0 },
    { kind: 'zkism-update', ism: 'aa', signer: null, state: '02', tx: 1 },
    { kind: 'zkism-messages', ism: 'aa', signer: account(2), stateRoot: 'f0', messageIds: ['m1', 'm2'], tx: 2 },
  ])
  assert.deepEqual([isms.get('aa')!.state, isms.get('aa')!.number, isms.get('aa')!.creator_id], ['02', 1, 1])
  assert.deepEqual(
    rows.zkism_update!.map((row) => [row.id, row.signer_id, row.state]),
    [
      [String(6 * 2 ** 24), '2', '01'],
      [String(6 * 2 ** 24 + 1), null, '02'],
    ],
  )
  assert.deepEqual(
    rows.zkism_message!.map((row) => [row.id, row.message_id, row.state_root]),
    [
      [String(6 * 2 ** 24), 'm1', 'f0'],
      [String(6 * 2 ** 24 + 1), 'm2', 'f0'],
    ],
  )
})
