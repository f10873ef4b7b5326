import { api } from '../../api.ts'
import { TransferSeries } from '../../parts/charts/transfer-series.tsx'
import { Panel } from '../../parts/panels.tsx'
import { ApiRecord } from '../../parts/record.tsx'
import { NotFoundPage } from '../not-found.tsx'
import { IbcChannels, IbcConnections, IbcTransfers } from './ibc.tsx'
import { channelFacts, clientFacts, connectionFacts, ibcTransferFacts } from './ibc-facts.tsx'

type Props = { kind: string; id: string; query: URLSearchParams }

/** A channel, connection, client or transfer of IBC, and what belongs to it. */
export function IbcThingPage({ kind, id, query }: Props) {
  switch (kind) {
    case 'channel':
      return (
        <ApiRecord
          title={`Channel ${id}`}
          operation="getIbcChannel"
          id={id}
          facts={channelFacts}
          missing="There is no such channel."
        >
          {() => (
            <>
              <TransferSeries
                load={(name, timeframe, span, signal) => api.getIbcSeries({ id, name, timeframe, ...span }, { signal })}
              />
              <Panel title="Transfers">
                <IbcTransfers query={query} input={{ channel_id: id }} />
              </Panel>
            </>
          )}
        </ApiRecord>
      )
    case 'connection':
      return (
        <ApiRecord
          title={`Connection ${id}`}
          operation="getIbcConnection"
          id={id}
          facts={connectionFacts}
          missing="There is no such connection."
        >
          {() => (
            <Panel title="Channels">
              <IbcChannels query={query} input={{ connection_id: id }} />
            </Panel>
          )}
        </ApiRecord>
      )
    case 'client':
      return (
        <ApiRecord title={`Client ${id}`} operation="getIbcClient" id={id} facts={clientFacts} missing="There is no such client.">
          {() => (
            <Panel title="Connections">
              <IbcConnections query={query} input={{ client_id: id }} />
            </Panel>
          )}
        </ApiRecord>
      )
    case 'transfer':
      return (
        <ApiRecord
          title={`Transfer ${id}`}
          operation="getIbcTransfer"
          id={id}
          facts={ibcTransferFacts}
          missing="There is no such transfer."
        />
      )
  }
  return <NotFoundPage />
}
