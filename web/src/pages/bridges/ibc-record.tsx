import { api } from '../../api.ts'
import { TransferSeries } from '../../parts/charts/transfer-series.tsx'
import { Panel } from '../../parts/panels.tsx'
import { NotFoundPage } from '../not-found.tsx'
import { IbcChannels, IbcConnections, IbcTransfers } from './ibc.tsx'
import { channelFacts, clientFacts, connectionFacts, ibcTransferFacts } from './ibc-facts.tsx'
import { type DetailProps, detailPage } from './shared-pages.tsx'

const Channel = detailPage({
  name: 'Channel',
  operation: 'getIbcChannel',
  facts: channelFacts,
  parts: ({ id, query }) => (
    <>
      <TransferSeries load={(name, timeframe, span, signal) => api.getIbcSeries({ id, name, timeframe, ...span }, { signal })} />
      <Panel title="Transfers">
        <IbcTransfers query={query} input={{ channel_id: id }} />
      </Panel>
    </>
  ),
})

const Connection = detailPage({
  name: 'Connection',
  operation: 'getIbcConnection',
  facts: connectionFacts,
  parts: ({ id, query }) => (
    <Panel title="Channels">
      <IbcChannels query={query} input={{ connection_id: id }} />
    </Panel>
  ),
})

const Client = detailPage({
  name: 'Client',
  operation: 'getIbcClient',
  facts: clientFacts,
  parts: ({ id, query }) => (
    <Panel title="Connections">
      <IbcConnections query={query} input={{ client_id: id }} />
    </Panel>
  ),
})

const Transfer = detailPage({ name: 'Transfer', operation: 'getIbcTransfer', facts: ibcTransferFacts })

/** A channel, connection, client or transfer of IBC, and what belongs to it. */
export function IbcDetailPage({ kind, ...detail }: DetailProps & { kind: string }) {
  switch (kind) {
    case 'channel':
      return <Channel {...detail} />
    case 'connection':
      return <Connection {...detail} />
    case 'client':
      return <Client {...detail} />
    case 'transfer':
      return <Transfer {...detail} />
  }
  return <NotFoundPage />
}
