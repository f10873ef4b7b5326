import type { Block, BlockStats } from '../../../../src/client/gen/operations.ts'
import { addressOf, api } from '../../api.ts'
import { formatBytes, formatInteger, formatPercent } from '../../format.ts'
import { useLive } from '../../live.ts'
import { Square } from '../../parts/charts/square.tsx'
import { LeftIcon, RightIcon } from '../../parts/icons.tsx'
import { Listing, Pages } from '../../parts/listing.tsx'
import { blobColumns, Events, TX_FILTERS, txColumns, withoutColumns } from '../../parts/lists.tsx'
import { Await, Empty, Fact, Facts, Meter, Panel } from '../../parts/panels.tsx'
import { BlockProof } from '../../parts/proofs/block-proof.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Hash, Moment, Tia, ValidatorLink } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'
import { HEADER_HASHES } from '../../verified-block.ts'

type Props = { height: number; query: URLSearchParams }

export function BlockPage({ height, query }: Props) {
  const head = useLive((live) => live.head?.last_height)
  // A block that is not there yet may come.
  const isAhead = head !== undefined && height > head
  const loaded = useLoad((signal) => api.getBlock({ height, stats: true }, { signal }), `block ${isAhead}`)
  return (
    <>
      <Title text={`Block ${formatInteger(height)}`} actions={<Neighbours height={height} head={head} />} />
      <Await
        loaded={loaded}
        rows={8}
        missing={isAhead ? `This block is not there yet: the newest is ${formatInteger(head)}.` : 'There is no such block.'}
      >
        {(block) => <Content block={block} query={query} />}
      </Await>
    </>
  )
}

function Neighbours({ height, head }: { height: number; head: number | undefined }) {
  return (
    <nav class="neighbours" aria-label="Neighbouring blocks">
      {height > 0 && (
        <a class="button" href={linkTo(['block', height - 1])} rel="prev" aria-label={`Block ${height - 1}`}>
          <LeftIcon />
        </a>
      )}
      {(head === undefined || height < head) && (
        <a class="button" href={linkTo(['block', height + 1])} rel="next" aria-label={`Block ${height + 1}`}>
          <RightIcon />
        </a>
      )}
    </nav>
  )
}

function Content({ block, query }: { block: Block; query: URLSearchParams }) {
  const { height, stats } = block
  const tabs = [
    ['txs', `Transactions ${formatInteger(stats?.tx_count ?? 0)}`],
    ['blobs', `Blobs ${formatInteger(stats?.blobs_count ?? 0)}`],
    ['events', `Events ${formatInteger(stats?.events_count ?? 0)}`],
    ['header', 'Header'],
  ] as const
  return (
    <>
      <div class="columns">
        <div class="stack">
          <Summary block={block} stats={stats} />
          {height > 0 && <BlockProof block={block} />}
        </div>
        <SquarePanel height={height} />
      </div>
      <Tabs label="Parts of the block" place={['block', height]} tabs={tabs} query={query}>
        {(tab) => <Tab tab={tab} block={block} query={query} />}
      </Tabs>
    </>
  )
}

type TabProps = { tab: 'txs' | 'blobs' | 'events' | 'header'; block: Block; query: URLSearchParams }

function Tab({ tab, block, query }: TabProps) {
  const { height } = block
  switch (tab) {
    case 'txs':
      return (
        <Listing
          caption="Transactions of the block"
          operation="listTxs"
          input={{ height }}
          filters={TX_FILTERS}
          columns={withoutColumns(txColumns, 'Block', 'Age')}
          keyOf={({ id }) => id}
          query={query}
          empty="This block has no such transactions."
        />
      )
    case 'blobs':
      return (
        <Listing
          caption="Blobs of the block"
          operation="listBlockBlobs"
          input={{ height, sort: 'asc' }}
          columns={withoutColumns(blobColumns, 'Age')}
          keyOf={({ id }) => id}
          query={query}
          empty="This block has no blobs."
        />
      )
    case 'events':
      return (
        <Pages
          caption="Events"
          operation="listBlockEvents"
          input={{ height }}
          query={query}
          empty="No events outside of transactions."
        >
          {(events) => <Events events={events} />}
        </Pages>
      )
    case 'header':
      return <HeaderHashes block={block} />
  }
}

function Summary({ block, stats }: { block: Block; stats: BlockStats | undefined }) {
  return (
    <Panel title="Summary" actions={<a href={addressOf('getBlock', { height: block.height, stats: true })}>JSON</a>}>
      <Facts>
        <Fact name="Time">
          <Moment time={block.time} />
        </Fact>
        <Fact name="Hash">
          <Hash value={block.hash} what="block hash" whole />
        </Fact>
        {block.proposer && (
          <Fact name="Proposer">
            <ValidatorLink validator={block.proposer} />
          </Fact>
        )}
        {stats && <StatFacts stats={stats} />}
        <Fact name="Version">
          app {block.version_app}, block {block.version_block}
        </Fact>
      </Facts>
    </Panel>
  )
}

function StatFacts({ stats }: { stats: BlockStats }) {
  const gasPart = stats.gas_limit > 0 ? stats.gas_used / stats.gas_limit : 0
  return (
    <>
      <Fact name="Block time">{stats.block_time > 0 ? `${(stats.block_time / 1000).toFixed(2)} s` : '–'}</Fact>
      <Fact name="Blob data">
        {formatBytes(stats.blobs_size)} in {formatInteger(stats.blobs_count)} {stats.blobs_count === 1 ? 'blob' : 'blobs'}
      </Fact>
      <Fact name="Block size">
        {formatBytes(stats.bytes_in_block)}{' '}
        <Meter part={Number(stats.fill_rate)} label={`${formatPercent(Number(stats.fill_rate))} full`} />
        <span class="muted"> {formatPercent(Number(stats.fill_rate))} full</span>
      </Fact>
      <Fact name="Gas used">
        {formatInteger(stats.gas_used)} <Meter part={gasPart} label={`${formatPercent(gasPart)} of the limit`} />
        <span class="muted">
          {' '}
          {formatPercent(gasPart)} of {formatInteger(stats.gas_limit)}
        </span>
      </Fact>
      <Fact name="Fees">
        <Tia utia={stats.fee} />
      </Fact>
      <Fact name="Rewards">
        <Tia utia={stats.rewards} /> <span class="muted">commissions</span> <Tia utia={stats.commissions} />
      </Fact>
      <Fact name="Supply change">
        <Tia utia={stats.supply_change} /> <span class="muted">at {formatPercent(Number(stats.inflation_rate))} a year</span>
      </Fact>
    </>
  )
}

function SquarePanel({ height }: { height: number }) {
  const loaded = useLoad((signal) => api.getBlockOds({ height }, { signal }), `ods ${height}`)
  return (
    <Panel title="Data square">
      <Await loaded={loaded} rows={8} missing="This block has no data square.">
        {(ods) => (ods.width > 0 ? <Square ods={ods} /> : <Empty>This block has no data square.</Empty>)}
      </Await>
    </Panel>
  )
}

function HeaderHashes({ block }: { block: Block }) {
  return (
    <Facts>
      {HEADER_HASHES.map(([field, name]) => (
        <Fact key={field} name={name}>
          <Hash
            value={block[field]}
            what={`${name} hash`}
            whole
            {...(field === 'parent_hash' && block.height > 1 && { href: linkTo(['block', block.height - 1]) })}
          />
        </Fact>
      ))}
    </Facts>
  )
}
