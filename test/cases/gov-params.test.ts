import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Any } from '@bufbuild/protobuf/wkt'
import { MsgUpdateBlobParamsSchema } from '../../src/decode/gen/celestia/blob/v1/types_pb.ts'
import { MsgUpdateMinfeeParamsSchema } from '../../src/decode/gen/celestia/minfee/v1/types_pb.ts'
import { MsgUpdateParamsSchema as ConsensusParamsSchema } from '../../src/decode/gen/cosmos/consensus/v1/types_pb.ts'
import { MsgUpdateParamsSchema as GovParamsSchema } from '../../src/decode/gen/cosmos/gov/v1/types_pb.ts'
import { MsgSubmitProposalSchema } from '../../src/decode/gen/cosmos/gov/v1beta1/types_pb.ts'
import { ParameterChangeProposalSchema } from '../../src/decode/gen/cosmos/params/v1beta1/types_pb.ts'
import { MsgUpdateParamsSchema as SlashingParamsSchema } from '../../src/decode/gen/cosmos/slashing/v1beta1/types_pb.ts'
import { MsgUpdateParamsSchema as StakingParamsSchema } from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import { aProposal, refundedDeposit, submissionEvents, votingEnded } from '../../src/simulation/txs/gov.ts'
import {
  aBlock,
  aGenesis,
  aMessage,
  anAccount,
  anAny,
  aTx,
  aValidator,
  type BuiltTx,
  blockTime,
  moduleText,
} from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { constantOf, plain } from './read-rows.ts'

const alice = anAccount('alice')
const one = aValidator('one')
const authority = moduleText('gov')
const DEPOSIT = 1_000_000_000n

const genesis = () =>
  aGenesis({
    balances: { [alice.text]: 20n * DEPOSIT, [one.text]: 11_000_000n },
    validators: [{ name: 'one', stake: 10_000_000n }],
    appState: {
      blob: { params: { gas_per_blob_byte: 8, gov_max_square_size: '64' } },
      slashing: { params: { signed_blocks_window: '5000', slash_fraction_double_sign: '0.020000000000000000' } },
      minfee: { network_min_gas_price: '0.000001000000000000' },
    },
  })

const propose = (id: number, messages: Any[]) => aProposal({ id, from: alice.text, deposit: DEPOSIT, opens: true, messages })

const setSquare = (size: bigint) =>
  anAny(MsgUpdateBlobParamsSchema, { authority, params: { gasPerBlobByte: 8, govMaxSquareSize: size } })
const setWindow = (blocks: bigint) =>
  anAny(SlashingParamsSchema, {
    authority,
    params: {
      signedBlocksWindow: blocks,
      minSignedPerWindow: '750000000000000000',
      downtimeJailDuration: { seconds: 60n },
      slashFractionDoubleSign: '50000000000000000',
      slashFractionDowntime: '0',
    },
  })
const setStaking = anAny(StakingParamsSchema, {
  authority,
  params: {
    unbondingTime: { seconds: 1_213_200n },
    maxValidators: 120,
    maxEntries: 7,
    historicalEntries: 10_000,
    bondDenom: 'utia',
    minCommissionRate: '200000000000000000',
  },
})
const setMinfee = (price: string) => anAny(MsgUpdateMinfeeParamsSchema, { authority, params: { networkMinGasPrice: price } })
const setConsensus = anAny(ConsensusParamsSchema, {
  authority,
  block: { maxBytes: 8_388_608n, maxGas: -1n },
  evidence: { maxAgeNumBlocks: 404_400n, maxAgeDuration: { seconds: 1_213_200n }, maxBytes: 1_000_000n },
  validator: { pubKeyTypes: ['ed25519'] },
})
const setGov = anAny(GovParamsSchema, {
  authority,
  params: {
    minDeposit: [{ denom: 'utia', amount: '2000000000' }],
    maxDepositPeriod: { seconds: 60n },
    votingPeriod: { seconds: 48n },
    quorum: '0.4',
    threshold: '0.5',
    vetoThreshold: '0.334',
    burnVoteVeto: true,
  },
})

describe('parameters of gov v1 change when their proposal passes, and only then', () => {
  let chain: BuiltChain
  before(async () => {
    chain = await indexAndReplay(genesis(), [
      aBlock(1, {
        txs: [
          propose(1, [setSquare(512n)]),
          propose(2, [setWindow(77n)]),
          propose(3, [setStaking, setMinfee('4000000000000000'), setConsensus, setGov]),
        ],
      }),
      aBlock(2, { txs: [propose(4, [setMinfee('9000000000000000')])] }),
      aBlock(3, {
        end: [
          ...refundedDeposit(alice.text, DEPOSIT),
          votingEnded(1, 'proposal_rejected'),
          ...refundedDeposit(alice.text, DEPOSIT),
          votingEnded(2, 'proposal_failed', 'passed, but msg 0 failed on execution: not allowed'),
          ...refundedDeposit(alice.text, DEPOSIT),
          votingEnded(3, 'proposal_passed'),
        ],
      }),
      // From here on the new periods hold.
      aBlock(4, { txs: [propose(5, [setSquare(128n)])] }),
    ])
  })
  after(() => chain.close())

  test('rejected, failed and open proposals change nothing', async () => {
    assert.equal(await constantOf(chain.sql, 'blob', 'gov_max_square_size'), '64')
    assert.equal(await constantOf(chain.sql, 'slashing', 'signed_blocks_window'), '5000')
    assert.equal(await constantOf(chain.sql, 'slashing', 'slash_fraction_double_sign'), '0.020000000000000000')
  })

  test('a passed one replaces the parameters of every module it names', async () => {
    const rows = await chain.sql<{ module: string; name: string; value: string }[]>`
      select module, name, value from constant
      where module in ('staking', 'minfee', 'consensus') or (module = 'gov' and name in ('min_deposit', 'voting_period', 'quorum', 'burn_vote_veto'))`
    assert.deepEqual(Object.fromEntries(rows.map(({ module, name, value }) => [`${module} ${name}`, value])), {
      'staking unbonding_time': '1213200000000000',
      'staking max_validators': '120',
      'staking max_entries': '7',
      'staking historical_entries': '10000',
      'staking bond_denom': 'utia',
      'staking min_commission_rate': '0.200000000000000000',
      'minfee network_min_gas_price': '0.004000000000000000',
      'consensus block_max_bytes': '8388608',
      'consensus block_max_gas': '-1',
      'consensus evidence_max_age_num_blocks': '404400',
      'consensus evidence_max_age_duration': '1213200000000000',
      'consensus evidence_max_bytes': '1000000',
      'consensus validator_pub_key_types': 'ed25519',
      'gov min_deposit': '2000000000utia',
      'gov voting_period': '48000000000',
      'gov quorum': '0.4',
      'gov burn_vote_veto': 'true',
    })
  })

  test('each proposal keeps the rules of its own end, the failed one its error', async () => {
    const rows = await chain.sql`select id, status, type, error, quorum, min_deposit from proposal order by id`
    const old = { type: 'param_changed', quorum: '0.334000000000000000', min_deposit: '1000000000utia' }
    const open = { type: 'param_changed', quorum: null, min_deposit: null, status: 'active', error: null }
    assert.deepEqual(plain(rows), [
      { id: 1, status: 'rejected', error: null, ...old },
      { id: 2, status: 'failed', error: 'passed, but msg 0 failed on execution: not allowed', ...old },
      { id: 3, status: 'applied', error: null, ...old },
      { id: 4, ...open },
      { id: 5, ...open },
    ])
  })

  test('a voting period that changed holds for the proposals after it', async () => {
    const rows = await chain.sql<{ id: number; end_time: string }[]>`select id, end_time from proposal where id > 3 order by id`
    const [before, after] = rows.map((row) => Date.parse(row.end_time))
    assert.equal(before, Date.parse(blockTime(2)) + 25_000)
    assert.equal(after, Date.parse(blockTime(4)) + 48_000)
  })
})

function proposeOld(id: number, changes: { subspace: string; key: string; value: string }[]): BuiltTx {
  const message = aMessage(MsgSubmitProposalSchema, {
    content: anAny(ParameterChangeProposalSchema, { title: `change ${id}`, description: 'because', changes }),
    initialDeposit: [{ denom: 'utia', amount: String(DEPOSIT) }],
    proposer: alice.text,
  })
  const events = submissionEvents({ id, from: alice.text, deposit: DEPOSIT, opens: true })
  return aTx({ from: alice.text, actions: [{ message, events }], sdk: '0.46' })
}

describe('parameter changes of the first gov version', () => {
  let chain: BuiltChain
  before(async () => {
    const block = { versionApp: 2 }
    chain = await indexAndReplay({ ...genesis(), consensus_params: { version: { app: '2' } } }, [
      aBlock(1, {
        ...block,
        txs: [
          proposeOld(1, [
            { subspace: 'baseapp', key: 'BlockParams', value: '{"max_bytes":"8388608","max_gas":"-1"}' },
            {
              subspace: 'baseapp',
              key: 'EvidenceParams',
              value: '{"max_age_num_blocks":"5","max_age_duration":"7","max_bytes":"9"}',
            },
            { subspace: 'baseapp', key: 'ValidatorParams', value: '{"pub_key_types":["ed25519"]}' },
            { subspace: 'gov', key: 'votingparams', value: '{"voting_period":"12000000000"}' },
            {
              subspace: 'gov',
              key: 'depositparams',
              value: '{"min_deposit":[{"denom":"utia","amount":"5"}],"max_deposit_period":"18000000000"}',
            },
            { subspace: 'gov', key: 'tallyparams', value: '{"quorum":"0.4","threshold":"0.6","veto_threshold":"0.2"}' },
            { subspace: 'staking', key: 'MaxValidators', value: '120' },
            { subspace: 'staking', key: 'UnbondingTime', value: '"1814400000000000"' },
            { subspace: 'blob', key: 'GovMaxSquareSize', value: '"128"' },
            { subspace: 'nothing we know', key: 'Anything', value: '{{{' },
          ]),
          proposeOld(2, [{ subspace: 'blob', key: 'GasPerBlobByte', value: '16' }]),
        ],
      }),
      aBlock(2, {
        ...block,
        end: [
          ...refundedDeposit(alice.text, DEPOSIT),
          votingEnded(1, 'proposal_passed'),
          ...refundedDeposit(alice.text, DEPOSIT),
          votingEnded(2, 'proposal_rejected'),
        ],
      }),
    ])
  })
  after(() => chain.close())

  test('whole objects and single values reach the constants they mean', async () => {
    const rows = await chain.sql<{ module: string; name: string; value: string }[]>`
      select module, name, value from constant where module in ('consensus', 'gov', 'blob')
        or (module = 'staking' and name in ('max_validators', 'unbonding_time'))`
    const found = Object.fromEntries(rows.map(({ module, name, value }) => [`${module} ${name}`, value]))
    const expected = {
      'consensus block_max_bytes': '8388608',
      'consensus block_max_gas': '-1',
      'consensus evidence_max_age_num_blocks': '5',
      'consensus evidence_max_age_duration': '7',
      'consensus evidence_max_bytes': '9',
      'consensus validator_pub_key_types': 'ed25519',
      'gov voting_period': '12000000000',
      'gov min_deposit': '5utia',
      'gov max_deposit_period': '18000000000',
      'gov quorum': '0.4',
      'gov threshold': '0.6',
      'gov veto_threshold': '0.2',
      'gov expedited_voting_period': '10000000000',
      'staking max_validators': '120',
      'staking unbonding_time': '1814400000000000',
      'blob gov_max_square_size': '128',
      'blob gas_per_blob_byte': '8',
    }
    assert.deepEqual(found, expected)
  })

  test('the changes stay on the proposal as they were asked for, unknown ones included', async () => {
    const [row] = await chain.sql<{ changes: { subspace: string; key: string; value: string }[] }[]>`
      select changes from proposal where id = 1`
    assert.equal(row?.changes.length, 10)
    assert.deepEqual(row?.changes.at(-1), { subspace: 'nothing we know', key: 'Anything', value: '{{{' })
  })
})
