import type { Forwarding, ForwardingInput } from '../../../../src/client/gen/operations.ts'
import { formatCoin, shorten } from '../../format.ts'
import { Listing } from '../../parts/listing.tsx'
import { Fact, Panel } from '../../parts/panels.tsx'
import { ApiRecord } from '../../parts/record.tsx'
import { Siblings } from '../../parts/siblings.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { AddressLink, Ago, BlockLink, Hash, TxLink } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { Title } from '../../shell/title.tsx'
import { AccountFact, CoinFact, EventFact, HashFact } from './shared-facts.tsx'

const columns: Column<Forwarding>[] = [
  { title: 'Id', cell: ({ id }) => <a href={linkTo(['forwarding', id])}>{id}</a> },
  { title: 'From', cell: ({ forward_address }) => (forward_address ? <AddressLink address={forward_address} /> : '–') },
  {
    title: 'To',
    wide: true,
    cell: ({ dest_address, dest_domain, chain }) => (
      <>
        <Hash value={dest_address} what="destination" copy={false} />{' '}
        <span class="muted">{chain?.name ?? `domain ${dest_domain}`}</span>
      </>
    ),
  },
  { title: 'Amount', end: true, cell: ({ amount, denom }) => <span title={denom}>{formatCoin(amount, shorten(denom))}</span> },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Transaction', wide: true, cell: ({ tx_hash }) => <TxLink hash={tx_hash} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const FILTERS = [
  { name: 'address', label: 'Account' },
  { name: 'tx_hash', label: 'Transaction' },
  { name: 'height', label: 'Block' },
]

export function ForwardingsPage({ query }: { query: URLSearchParams }) {
  return (
    <>
      <Title text="Forwarding" actions={<Siblings family="bridges" current="forwarding" />} />
      <Panel title="Forwarded transfers, newest first">
        <Listing
          caption="Forwarded transfers, newest first"
          operation="listForwardings"
          input={{ sort: 'desc' }}
          filters={FILTERS}
          columns={columns}
          keyOf={({ id }) => id}
          query={query}
          empty="Nothing has been forwarded to another chain."
        />
      </Panel>
    </>
  )
}

export const ForwardingPage = ({ id }: { id: number }) => (
  <ApiRecord
    title={`Forwarding ${id}`}
    operation="getForwarding"
    id={id}
    facts={forwardingFacts}
    missing="There is no such forwarding."
  >
    {({ inputs = [] }) => (
      <Panel title="Transfers received before">
        <Table
          caption="Transfers received before"
          columns={inputColumns}
          rows={inputs}
          keyOf={(_, i) => i}
          empty="No transfer to this account is known."
        />
      </Panel>
    )}
  </ApiRecord>
)

const forwardingFacts = (forwarding: Forwarding) => (
  <>
    <CoinFact name="Amount" amount={forwarding.amount} denom={forwarding.denom} />
    <AccountFact name="From" address={forwarding.forward_address} />
    <Fact name="To chain">
      <a href={linkTo(['hyperlane', 'domain', forwarding.dest_domain])}>
        {forwarding.chain?.name ?? `domain ${forwarding.dest_domain}`}
      </a>
    </Fact>
    <HashFact name="To account" value={forwarding.dest_address} />
    <EventFact name="Time" time={forwarding.time} height={forwarding.height} hash={forwarding.tx_hash} />
    <HashFact name="Token" value={forwarding.token_id} href={linkTo(['hyperlane', 'token', forwarding.token_id])} />
    <HashFact name="Message" value={forwarding.message_id} />
  </>
)

const inputColumns: Column<ForwardingInput>[] = [
  { title: 'From', cell: ({ from }) => <AddressLink address={{ hash: from }} /> },
  { title: 'Amount', end: true, cell: ({ received, denom }) => formatCoin(received, shorten(denom)) },
  { title: 'Chain', wide: true, cell: ({ chain }) => chain?.name ?? '–' },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Transaction', wide: true, cell: ({ tx_hash }) => <TxLink hash={tx_hash} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]
