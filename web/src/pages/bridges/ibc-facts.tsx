import type { IbcChannel, IbcClient, IbcConnection, IbcTransfer, ShortIbcClient } from '../../../../src/client/gen/operations.ts'
import { formatInteger, formatSpan } from '../../format.ts'
import { Fact } from '../../parts/panels.tsx'
import { Moment } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { AccountFact, CoinFact, EventFact } from './shared-facts.tsx'

const NANOS_PER_MS = 1_000_000

const place = (kind: 'channel' | 'connection' | 'client', id: string) => <a href={linkTo(['ibc', kind, id])}>{id}</a>

const ClientFacts = ({ client }: { client: ShortIbcClient | undefined }) =>
  client ? (
    <>
      <Fact name="Chain">{client.chain_id || 'unknown'}</Fact>
      <Fact name="Client">{place('client', client.id)}</Fact>
    </>
  ) : null

const TONES = { initialization: 'warn', opened: 'good', closed: 'bad' } as const

export const channelFacts = (channel: IbcChannel) => (
  <>
    <Fact name="State">
      <span class={`badge ${TONES[channel.status]}`}>{channel.status}</span>
    </Fact>
    <ClientFacts client={channel.client} />
    <Fact name="Connection">{place('connection', channel.connection_id)}</Fact>
    <Fact name="Other end">
      {channel.counterparty_channel_id || 'not known yet'} <span class="muted">on port {channel.counterparty_port_id}</span>
    </Fact>
    <Fact name="Port">
      {channel.port_id} <span class="muted">{channel.version}</span>
    </Fact>
    <Fact name="Packets">{channel.ordering ? 'in order' : 'in any order'}</Fact>
    <EventFact name="Created" time={channel.created_at} height={channel.height} hash={channel.created_tx_hash} />
    {channel.confirmed_at && channel.confirmation_height !== undefined && (
      <EventFact
        name="Opened"
        time={channel.confirmed_at}
        height={channel.confirmation_height}
        hash={channel.confirmation_tx_hash}
      />
    )}
    <AccountFact name="Creator" address={channel.creator} />
  </>
)

export const connectionFacts = (connection: IbcConnection) => (
  <>
    <ClientFacts client={connection.client} />
    <Fact name="Other end">
      {connection.counterparty_connection_id || 'not known yet'}{' '}
      <span class="muted">with client {connection.counterparty_client_id}</span>
    </Fact>
    <Fact name="Channels">{formatInteger(connection.channels_count)}</Fact>
    <EventFact name="Created" time={connection.created_at} height={connection.height} hash={connection.created_tx_hash} />
    {connection.connected_height > 0 && (
      <EventFact
        name="Opened"
        time={connection.connected_at}
        height={connection.connected_height}
        hash={connection.connected_tx_hash}
      />
    )}
  </>
)

const heightOf = (revision: number, height: number) => `${formatInteger(height)}${revision > 0 ? ` of revision ${revision}` : ''}`

export const clientFacts = (client: IbcClient) => (
  <>
    <Fact name="Chain">{client.chain_id || 'unknown'}</Fact>
    <Fact name="Kind">{client.type}</Fact>
    <Fact name="State">
      {client.frozen_revision_height > 0 ? (
        <>
          <span class="badge bad">frozen</span> at {heightOf(client.frozen_revision_number, client.frozen_revision_height)}
        </>
      ) : (
        <span class="badge good">active</span>
      )}
    </Fact>
    <Fact name="Newest height">
      {heightOf(client.latest_revision_number, client.latest_revision_height)}{' '}
      <span class="muted">
        since <Moment time={client.updated_at} />
      </span>
    </Fact>
    <Fact name="Trusts">
      {client.trust_level_numerator} of {client.trust_level_denominator}{' '}
      <span class="muted">of the power, headers of {formatSpan(client.trusting_period / NANOS_PER_MS)}</span>
    </Fact>
    <Fact name="Unbonding">
      {formatSpan(client.unbonding_period / NANOS_PER_MS)}{' '}
      <span class="muted">clocks may differ by {formatSpan(client.max_clock_drift / NANOS_PER_MS)}</span>
    </Fact>
    <Fact name="Connections">{formatInteger(client.connection_count)}</Fact>
    <EventFact name="Created" time={client.created_at} height={client.height} hash={client.tx_hash} />
    <AccountFact name="Creator" address={client.creator} />
  </>
)

export const ibcTransferFacts = (transfer: IbcTransfer) => (
  <>
    <CoinFact name="Amount" amount={transfer.amount} denom={transfer.denom} />
    <AccountFact name="From" address={transfer.sender} />
    <AccountFact name="To" address={transfer.receiver} />
    {transfer.chain_id && <Fact name="Chain">{transfer.chain_id}</Fact>}
    <Fact name="Channel">{place('channel', transfer.channel_id)}</Fact>
    <Fact name="Connection">{place('connection', transfer.connection_id)}</Fact>
    <Fact name="Packet">
      {formatInteger(transfer.sequence)} <span class="muted">on port {transfer.port}</span>
    </Fact>
    <EventFact name="Time" time={transfer.time} height={transfer.height} hash={transfer.tx_hash} />
    {transfer.timeout && (
      <Fact name="Valid until">
        <Moment time={transfer.timeout} />
      </Fact>
    )}
    {transfer.timeout_height !== undefined && transfer.timeout_height > 0 && (
      <Fact name="Valid up to">height {formatInteger(transfer.timeout_height)} of the other chain</Fact>
    )}
    {transfer.relayer && <Fact name="Relayer">{transfer.relayer.name}</Fact>}
    {transfer.memo && (
      <Fact name="Memo">
        <span class="break">{transfer.memo}</span>
      </Fact>
    )}
  </>
)
