import type { ZkISMMessage, ZkISMUpdate } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { TransferSeries } from '../../parts/charts/transfer-series.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panels.tsx'
import { ApiRecord } from '../../parts/record.tsx'
import type { Column } from '../../parts/table.tsx'
import { Ago, BlockLink, TxLink } from '../../parts/values.tsx'
import { Title } from '../../shell/title.tsx'
import { NotFoundPage } from '../not-found.tsx'
import { HyperlaneTokens, HyperlaneTransfers } from './hyperlane.tsx'
import { hyperlaneTransferFacts, IgpPrices, igpFacts, mailboxFacts, tokenFacts, zkismFacts } from './hyperlane-facts.tsx'

type Props = { kind: string; id: string; query: URLSearchParams }

/** A mailbox, token, paymaster, ZK ISM, transfer or remote chain of Hyperlane, and what belongs to it. */
export function HyperlaneThingPage({ kind, id, query }: Props) {
  switch (kind) {
    case 'mailbox':
      return (
        <ApiRecord
          title={`Mailbox ${id}`}
          operation="getHyperlaneMailbox"
          id={id}
          facts={mailboxFacts}
          missing="There is no such mailbox."
        >
          {() => (
            <>
              <Panel title="Tokens">
                <HyperlaneTokens query={query} input={{ mailbox: id }} />
              </Panel>
              <Panel title="Transfers">
                <HyperlaneTransfers query={query} input={{ mailbox: id }} />
              </Panel>
            </>
          )}
        </ApiRecord>
      )
    case 'token':
      return (
        <ApiRecord
          title={`Token ${id}`}
          operation="getHyperlaneToken"
          id={id}
          facts={tokenFacts}
          missing="There is no such token."
        >
          {() => (
            <Panel title="Transfers">
              <HyperlaneTransfers query={query} input={{ token: id }} />
            </Panel>
          )}
        </ApiRecord>
      )
    case 'igp':
      return (
        <ApiRecord
          title={`Gas paymaster ${id}`}
          operation="getHyperlaneIgp"
          id={id}
          facts={igpFacts}
          missing="There is no such paymaster."
        >
          {(igp) => (
            <Panel title="Prices">
              <IgpPrices igp={igp} />
            </Panel>
          )}
        </ApiRecord>
      )
    case 'transfer':
      return (
        <ApiRecord
          title={`Transfer ${id}`}
          operation="getHyperlaneTransfer"
          id={id}
          facts={hyperlaneTransferFacts}
          missing="There is no such transfer."
        />
      )
    case 'domain':
      return <Domain id={Number(id)} query={query} />
    case 'zkism':
      return (
        <ApiRecord title={`ZK ISM ${id}`} operation="getZkism" id={id} facts={zkismFacts} missing="There is no such ZK ISM.">
          {() => <ZkIsmLists id={Number(id)} query={query} />}
        </ApiRecord>
      )
  }
  return <NotFoundPage />
}

function Domain({ id, query }: { id: number; query: URLSearchParams }) {
  return (
    <>
      <Title text={`Hyperlane domain ${id}`} />
      <TransferSeries
        load={(name, timeframe, span, signal) => api.getHyperlaneSeries({ id, name, timeframe, ...span }, { signal })}
      />
      <Panel title="Transfers">
        <HyperlaneTransfers query={query} input={{ domain: id }} />
      </Panel>
    </>
  )
}

type ZkRow = ZkISMUpdate | ZkISMMessage

const zkColumns: Column<ZkRow>[] = [
  { title: 'Block', cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Transaction', cell: ({ tx_hash }) => <TxLink hash={tx_hash ?? ''} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const ZkIsmLists = ({ id, query }: { id: number; query: URLSearchParams }) => (
  <>
    <Panel title="Updates of its state">
      <Listing
        caption="Updates, newest first"
        operation="listZkismUpdates"
        input={{ id, sort: 'desc' }}
        columns={zkColumns}
        keyOf={(row) => row.id}
        query={query}
        empty="Its state was never updated."
      />
    </Panel>
    <Panel title="Messages it let through">
      <Listing
        caption="Messages, newest first"
        operation="listZkismMessages"
        input={{ id, sort: 'desc' }}
        columns={zkColumns}
        keyOf={(row) => row.id}
        query={query}
        empty="It has let no message through."
      />
    </Panel>
  </>
)
