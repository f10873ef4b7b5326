import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { votingEnded } from '../../src/simulation/txs/gov.ts'
import { received, relayed, relayer, unescrowed } from '../../src/simulation/txs/ibc.ts'
import { aBlock, aGenesis, anAccount, anEvent, moduleText } from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { serveChain } from '../support/served-chain.ts'
import { constantOf, plain } from './read-rows.ts'

const alice = anAccount('alice')
const GOV = moduleText('gov')
const hexId = (type: number, number: number) =>
  `0x${'72'.repeat(20)}${type.toString(16).padStart(8, '0')}${number.toString(16).padStart(16, '0')}`
const [MAILBOX, IGP, OTHER_IGP, TOKEN, ISM] = [hexId(0, 0), hexId(4, 0), hexId(4, 7), hexId(1, 3), hexId(9, 1)]

const clientState = (fields: Record<string, unknown>) => ({
  '@type': '/ibc.lightclients.tendermint.v1.ClientState',
  chain_id: 'osmosis-1',
  trust_level: { numerator: '1', denominator: '3' },
  trusting_period: '1209600s',
  unbonding_period: '1814400s',
  max_clock_drift: '40s',
  frozen_height: { revision_number: '0', revision_height: '0' },
  latest_height: { revision_number: '1', revision_height: '500' },
  proof_specs: [{ leaf_spec: { hash: 'SHA256', length: 'VAR_PROTO', prefix: 'AA==' }, max_depth: 0 }],
  ...fields,
})

const ibc = {
  client_genesis: {
    clients: [
      {
        client_id: '07-tendermint-2',
        client_state: clientState({ frozen_height: { revision_number: '0', revision_height: '1' } }),
      },
      {
        client_id: '07-tendermint-9',
        client_state: clientState({ latest_height: { revision_number: '1', revision_height: '900' } }),
      },
      { client_id: '06-solomachine-4', client_state: { '@type': '/ibc.lightclients.solomachine.v3.ClientState', sequence: '5' } },
      { client_id: '09-localhost', client_state: { '@type': '/ibc.lightclients.localhost.v2.ClientState' } },
    ],
  },
  connection_genesis: {
    connections: [
      {
        id: 'connection-0',
        client_id: '07-tendermint-2',
        state: 'STATE_OPEN',
        counterparty: { client_id: '07-tendermint-7', connection_id: 'connection-5' },
      },
      { id: 'connection-1', client_id: '07-tendermint-2', state: 'STATE_INIT', counterparty: { client_id: '07-tendermint-8' } },
      { id: 'connection-localhost', client_id: '09-localhost', state: 'STATE_OPEN', counterparty: {} },
    ],
  },
  channel_genesis: {
    channels: [
      {
        state: 'STATE_OPEN',
        ordering: 'ORDER_UNORDERED',
        counterparty: { port_id: 'transfer', channel_id: 'channel-3' },
        connection_hops: ['connection-0'],
        version: 'ics20-1',
        port_id: 'transfer',
        channel_id: 'channel-0',
      },
      {
        state: 'STATE_CLOSED',
        ordering: 'ORDER_ORDERED',
        counterparty: { port_id: 'icacontroller-x', channel_id: 'channel-4' },
        connection_hops: ['connection-0'],
        version: 'ics27-1',
        port_id: 'icahost',
        channel_id: 'channel-1',
      },
      { state: 'STATE_TRYOPEN', ordering: 'ORDER_UNORDERED', port_id: 'transfer', channel_id: 'channel-2' },
    ],
  },
}

const hyperlane = {
  mailboxes: [
    {
      id: MAILBOX,
      owner: alice.text,
      message_sent: 12,
      message_received: 34,
      default_ism: ISM,
      default_hook: IGP,
      required_hook: '',
      local_domain: 69420,
    },
  ],
  post_dispatch_genesis: {
    igps: [
      { id: IGP, owner: alice.text, denom: 'utia', claimable_fees: [] },
      { id: OTHER_IGP, owner: '', denom: 'utia', claimable_fees: [] },
    ],
    igp_gas_configs: [
      {
        remote_domain: 4_294_967_295,
        gas_oracle: { token_exchange_rate: '10000000000', gas_price: '3' },
        gas_overhead: '200000',
        igp_id: '7',
      },
    ],
  },
}

const warp = {
  tokens: [
    { id: TOKEN, owner: alice.text, token_type: 'HYP_TOKEN_TYPE_COLLATERAL', origin_mailbox: MAILBOX, origin_denom: 'utia' },
  ],
}

const zkism = { isms: [{ id: ISM, owner: alice.text, state: 'AQID', groth16_vkey: '/w==' }], messages: [], submissions: [] }

const open = (id: number, messages: unknown[]) => ({
  id: String(id),
  status: 'PROPOSAL_STATUS_VOTING_PERIOD',
  messages,
  title: `open ${id}`,
  summary: 'from before',
  proposer: alice.text,
  submit_time: '2025-12-31T23:00:00Z',
  deposit_end_time: '2025-12-31T23:30:00Z',
  voting_start_time: '2025-12-31T23:30:00Z',
  voting_end_time: '2026-01-01T00:00:10Z',
})

const gov = {
  params: { min_deposit: [], max_deposit_period: '30s', voting_period: '24s', quorum: '0.334' },
  proposals: [
    open(1, [
      {
        '@type': '/ibc.core.client.v1.MsgRecoverClient',
        subject_client_id: '07-tendermint-2',
        substitute_client_id: '07-tendermint-9',
        signer: GOV,
      },
    ]),
    open(2, [
      {
        '@type': '/celestia.blob.v1.MsgUpdateBlobParams',
        authority: GOV,
        params: { gas_per_blob_byte: 8, gov_max_square_size: '512' },
      },
    ]),
  ],
}

describe('modules of a chain that starts with the state of another one', () => {
  let chain: BuiltChain
  before(async () => {
    const escrow = { [moduleText('transfer')]: 0n }
    const balances = { [alice.text]: 50_000_000n, [relayer.text]: 50_000_000n, ...escrow }
    const document = aGenesis({ balances, appState: { ibc, hyperlane, warp, zkism, gov } })
    const back = { denom: 'uosmo', amount: '5', sender: 'osmo1qqqsyqcyq5rqwzqfpg9scrgwpugpzysn3s6k7z', receiver: alice.text }
    chain = await indexAndReplay(document, [
      aBlock(1, { txs: [relayed(received(back, unescrowed(alice.text, 0n)))] }),
      aBlock(2, {
        end: [
          anEvent('recover_client', { subject_client_id: '07-tendermint-2', client_type: '07-tendermint' }),
          votingEnded(1, 'proposal_passed'),
          votingEnded(2, 'proposal_passed'),
        ],
      }),
    ])
  })
  after(() => chain.close())

  test('its light clients are known by chain and periods; one comes back with the heights of its substitute', async () => {
    const rows = await chain.sql`
      select client_id, type, chain_id, frozen_revision_height as frozen, latest_revision_height as latest, trusting_period, connection_count as connections
      from ibc_client order by number`
    const tendermint = { type: '07-tendermint', chain_id: 'osmosis-1', frozen: '0', trusting_period: '1209600000000000' }
    assert.deepEqual(plain(rows), [
      { client_id: '07-tendermint-2', ...tendermint, latest: '900', connections: 1 },
      {
        client_id: '06-solomachine-4',
        type: '06-solomachine',
        chain_id: '',
        frozen: '0',
        latest: '0',
        trusting_period: '0',
        connections: 0,
      },
      { client_id: '07-tendermint-9', ...tendermint, latest: '900', connections: 0 },
    ])
    assert.deepEqual(plain(await chain.sql`select total_ibc_clients from head`), [{ total_ibc_clients: 3 }])
  })

  test('connections and channels keep their state', async () => {
    const connections =
      await chain.sql`select connection_id, connected_height, channels_count from ibc_connection order by number`
    assert.deepEqual(plain(connections), [
      { connection_id: 'connection-0', connected_height: 0, channels_count: 2 },
      { connection_id: 'connection-1', connected_height: null, channels_count: 0 },
    ])
    const channels = await chain.sql`
      select channel_id, port_id, status, ordered, client_id, transfers_count from ibc_channel order by number`
    assert.deepEqual(plain(channels), [
      {
        channel_id: 'channel-0',
        port_id: 'transfer',
        status: 'opened',
        ordered: false,
        client_id: '07-tendermint-2',
        transfers_count: 1,
      },
      {
        channel_id: 'channel-1',
        port_id: 'icahost',
        status: 'closed',
        ordered: true,
        client_id: '07-tendermint-2',
        transfers_count: 0,
      },
      {
        channel_id: 'channel-2',
        port_id: 'transfer',
        status: 'initialization',
        ordered: false,
        client_id: null,
        transfers_count: 0,
      },
    ])
  })

  test('a transfer over an old channel knows its chain', async () => {
    assert.deepEqual(plain(await chain.sql`select chain_id, denom from ibc_transfer`), [
      { chain_id: 'osmosis-1', denom: 'uosmo' },
    ])
  })

  test('a mailbox keeps its counts, a paymaster its prices, a token its kind, a security module its state', async () => {
    const mailboxes =
      await chain.sql`select '0x' || mailbox as id, domain, sent_messages, received_messages, required_hook from hl_mailbox`
    assert.deepEqual(plain(mailboxes), [
      { id: MAILBOX, domain: 69420, sent_messages: 12, received_messages: 34, required_hook: null },
    ])
    const configs = await chain.sql`select '0x' || igp_id as igp, remote_domain, gas_overhead, gas_price from hl_igp_config`
    assert.deepEqual(plain(configs), [{ igp: OTHER_IGP, remote_domain: 4_294_967_295, gas_overhead: '200000', gas_price: '3' }])
    const tokens = await chain.sql`select '0x' || token_id as id, type, denom, '0x' || mailbox as mailbox from hl_token`
    assert.deepEqual(plain(tokens), [{ id: TOKEN, type: 'collateral', denom: 'utia', mailbox: MAILBOX }])
    const isms = await chain.sql`select '0x' || ism_id as id, state, groth16_vkey from zkism`
    assert.deepEqual(plain(isms), [{ id: ISM, state: '010203', groth16_vkey: 'ff' }])
  })

  test('a proposal that was open then changes parameters when it passes now', async () => {
    assert.equal(await constantOf(chain.sql, 'blob', 'gov_max_square_size'), '512')
  })

  test('all of it is served', async (t) => {
    const api = await serveChain(chain.url)
    t.after(() => api.close())
    for (const path of [
      '/ibc/client/07-tendermint-2',
      '/ibc/connection/connection-0',
      '/ibc/channel/channel-0',
      '/ibc/transfer',
      `/hyperlane/mailbox/${MAILBOX}`,
      `/hyperlane/token/${TOKEN}`,
      '/hyperlane/igp',
      '/hyperlane/zkism',
    ])
      assert.equal((await api.get(path)).status, 200, path)
  })
})
