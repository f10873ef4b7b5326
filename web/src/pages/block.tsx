import type { Block, BlockStats } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { formatBytes, formatInteger, formatPercent } from '../format.ts'
import { useLive } from '../live.ts'
import { Await, Choice, Empty, Fact, Facts, Meter, Panel } from '../parts/blocks.tsx'
import { LeftIcon, RightIcon } from '../parts/icons.tsx'
import { blobColumns, Events, txColumns, withoutColumns } from '../parts/lists.tsx'
import { Paged } from '../parts/paged.tsx'
import { Square } from '../parts/square.tsx'
import { PagedTable, pageOf, readPage } from '../parts/table.tsx'
import { Hash, Moment, Tia, ValidatorLink } from '../parts/values.tsx'
import { linkTo } from '../router.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'

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
  const tab = query.get('tab') ?? 'txs'
  const tabs = [
    ['txs', `Transactions ${formatInteger(stats?.tx_count ?? 0)}`],
    ['blobs', `Blobs ${formatInteger(stats?.blobs_count ?? 0)}`],
    ['events', `Events ${formatInteger(stats?.events_count ?? 0)}`],
    ['header', 'Header'],
  ] as const
  return (
    <>
      <div class="columns">
        <Summary block={block} stats={stats} />
        <SquarePanel height={height} />
      </div>
      <Panel
        title={tabs.find(([name]) => name === tab)?.[1] ?? 'Transactions'}
        actions={
          <Choice
            label="Parts of the block"
            options={tabs.map(([name, text]) => ({
              name: text,
              href: linkTo(['block', height], { tab: name === 'txs' ? undefined : name }),
              isChosen: name === tab,
            }))}
          />
        }
      >
        {tab === 'blobs' ? (
          <Blobs height={height} query={query} />
        ) : tab === 'events' ? (
          <BlockEvents height={height} query={query} />
        ) : tab === 'header' ? (
          <HeaderHashes block={block} />
        ) : (
          <Txs height={height} query={query} />
        )}
      </Panel>
    </>
  )
}

function Summary({ block, stats }: { block: Block; stats: BlockStats | undefined }) {
  return (
    <Panel title="Summary">
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

function Txs({ height, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listTxs({ height, ...pageOf(page) }, { signal }), `txs ${page}`)
  return (
    <PagedTable
      caption="Transactions of the block"
      loaded={loaded}
      page={page}
      columns={withoutColumns(txColumns, 'Block', 'Age')}
      keyOf={({ id }) => id}
      empty="This block has no transactions."
    />
  )
}

function Blobs({ height, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listBlockBlobs({ height, ...pageOf(page), sort: 'asc' }, { signal }), `blobs ${page}`)
  return (
    <PagedTable
      caption="Blobs of the block"
      loaded={loaded}
      page={page}
      columns={withoutColumns(blobColumns, 'Age')}
      keyOf={({ id }) => id}
      empty="This block has no blobs."
    />
  )
}

function BlockEvents({ height, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listBlockEvents({ height, ...pageOf(page) }, { signal }), `events ${page}`)
  return (
    <Paged loaded={loaded} page={page} empty={<Empty>No events outside of transactions.</Empty>}>
      {(events) => <Events events={events} />}
    </Paged>
  )
}

const HASHES = [
  ['parent_hash', 'Parent block'],
  ['last_commit_hash', 'Last commit'],
  ['data_hash', 'Data'],
  ['validators_hash', 'Validators'],
  ['next_validators_hash', 'Next validators'],
  ['consensus_hash', 'Consensus parameters'],
  ['app_hash', 'Application'],
  ['last_results_hash', 'Last results'],
  ['evidence_hash', 'Evidence'],
] as const

function HeaderHashes({ block }: { block: Block }) {
  return (
    <Facts>
      {HASHES.map(([field, name]) => (
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
