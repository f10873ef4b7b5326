import type { ZkISMMessage, ZkISMUpdate } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { TransferSeries } from '../../parts/charts/transfer-series.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panels.tsx'
import type { Column } from '../../parts/table.tsx'
import { Ago, BlockLink, TxLink } from '../../parts/values.tsx'
import { Title } from '../../shell/title.tsx'
import { NotFoundPage } from '../not-found.tsx'
import { HyperlaneTokens, HyperlaneTransfers } from './hyperlane.tsx'
import { hyperlaneTransferFacts, IgpPrices, igpFacts, mailboxFacts, tokenFacts, zkismFacts } from './hyperlane-facts.tsx'
import { type DetailProps, detailPage } from './shared-pages.tsx'

const Mailbox = detailPage({
  name: 'Mailbox',
  operation: 'getHyperlaneMailbox',
  facts: mailboxFacts,
  parts: ({ id, query }) => (
    <>
      <Panel title="Tokens">
        <HyperlaneTokens query={query} input={{ mailbox: id }} />
      </Panel>
      <Panel title="Transfers">
        <HyperlaneTransfers query={query} input={{ mailbox: id }} />
      </Panel>
    </>
  ),
})

const Token = detailPage({
  name: 'Token',
  operation: 'getHyperlaneToken',
  facts: tokenFacts,
  parts: ({ id, query }) => (
    <Panel title="Transfers">
      <HyperlaneTransfers query={query} input={{ token: id }} />
    </Panel>
  ),
})

const Paymaster = detailPage({
  name: 'Gas paymaster',
  operation: 'getHyperlaneIgp',
  facts: igpFacts,
  parts: ({ record }) => (
    <Panel title="Prices">
      <IgpPrices igp={record} />
    </Panel>
  ),
})

const Transfer = detailPage({ name: 'Transfer', operation: 'getHyperlaneTransfer', facts: hyperlaneTransferFacts })

const ZkIsm = detailPage({
  name: 'ZK ISM',
  operation: 'getZkism',
  facts: zkismFacts,
  parts: ({ id, query }) => <ZkIsmLists id={Number(id)} query={query} />,
})

/** A mailbox, token, paymaster, ZK ISM, transfer or remote chain of Hyperlane, and what belongs to it. */
export function HyperlaneDetailPage({ kind, ...detail }: DetailProps & { kind: string }) {
  switch (kind) {
    case 'mailbox':
      return <Mailbox {...detail} />
    case 'token':
      return <Token {...detail} />
    case 'igp':
      return <Paymaster {...detail} />
    case 'transfer':
      return <Transfer {...detail} />
    case 'domain':
      return <Domain id={Number(detail.id)} query={detail.query} />
    case 'zkism':
      return <ZkIsm {...detail} />
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
        empty="The state of this module was never updated."
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
        empty="This module has let no message through."
      />
    </Panel>
  </>
)
