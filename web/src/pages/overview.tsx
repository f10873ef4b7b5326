import { useMemo, useState } from 'preact/hooks'
import type { Block, GetSeriesName, State } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { useClock } from '../clock.ts'
import { highestTps } from '../figures/scores.ts'
import { formatBytes, formatCompact, formatGasPrice, formatInteger, formatSpan, formatTiaShort, readableType } from '../format.ts'
import { OLD_MS, useIsEmpty, useLive } from '../live.ts'
import { Bars } from '../parts/charts/bars.tsx'
import { BlockStrip } from '../parts/charts/block-strip.tsx'
import { Chart, chartRoom } from '../parts/charts/chart.tsx'
import { NamespaceBars } from '../parts/charts/namespace-bars.tsx'
import { blockColumns, txColumns, withoutColumns } from '../parts/lists.tsx'
import { Await, Bone, Panel, Skeleton, Switch, Tile } from '../parts/panels.tsx'
import { Table } from '../parts/table.tsx'
import { Ago } from '../parts/values.tsx'
import { linkTo } from '../router.ts'
import { pointsOfBlocks, SERIES } from '../series.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'
import { useThrottled } from '../use-throttled.ts'

export function OverviewPage() {
  return (
    <>
      <Title text="Overview" />
      <BlockStrip />
      <Board />
      <RecentBlocks />
      <div class="columns">
        <LatestBlocks />
        <LatestTxs />
      </div>
      <div class="columns">
        <BlobSpace />
        <MessageTypes />
      </div>
    </>
  )
}

function Board() {
  const head = useLive((live) => live.head)
  const gas = useLive((live) => live.gas)
  const blocks = useLive((live) => live.blocks)
  const seen = useThrottled(head?.last_height ?? 0)
  const tps = useLoad((signal) => api.getTps({}, { signal }), 'tps', seen)
  const isEmpty = useIsEmpty()
  return (
    <section class="board" aria-label="Status">
      <HeadTile />
      <Tile name="Block time" remark={blocks.length > 0 && `mean of ${Math.min(blocks.length, 20)} blocks`}>
        {blocks.length > 0 || isEmpty ? meanBlockTime(blocks) : <Bone />}
      </Tile>
      <Tile
        name="Transactions per second"
        remark={
          tps.state === 'ready' && highestTps(tps.value) > 0
            ? `highest hour of the week ${formatCompact(highestTps(tps.value))}`
            : 'last hour'
        }
        href={linkTo(['statistics'])}
      >
        {tps.state === 'ready' ? formatCompact(tps.value.current) : tps.state === 'loading' ? <Bone /> : '–'}
      </Tile>
      <Tile
        name="Gas price, utia"
        remark={gas ? `slow ${formatGasPrice(gas.slow)}, fast ${formatGasPrice(gas.fast)}` : 'median'}
        href={linkTo(['gas'])}
      >
        {gas ? formatGasPrice(gas.median) : isEmpty ? '–' : <Bone />}
      </Tile>
      <Totals />
    </section>
  )
}

/** An index that began without state has none. */
function Totals() {
  const head = useLive((live) => live.head)
  const isEmpty = useIsEmpty()
  if (head?.no_state_before !== undefined) return null
  const show = (value: (head: State) => string) => (head ? value(head) : isEmpty ? '–' : <Bone />)
  return (
    <>
      <Tile name="Transactions" href={linkTo(['txs'])}>
        {show(({ total_tx = 0 }) => formatInteger(total_tx))}
      </Tile>
      <Tile
        name="Blob data"
        href={linkTo(['namespaces'])}
        remark={head && `${formatInteger(head.total_namespaces ?? 0)} namespaces`}
      >
        {show(({ total_blobs_size = 0 }) => formatBytes(total_blobs_size))}
      </Tile>
      <Tile name="Accounts" href={linkTo(['addresses'])}>
        {show(({ total_accounts = 0 }) => formatInteger(total_accounts))}
      </Tile>
      <Tile
        name="Validators"
        href={linkTo(['validators'])}
        remark={head && `${formatCompact(Number(head.total_voting_power ?? 0))} voting power`}
      >
        {show(({ total_validators = 0 }) => formatInteger(total_validators))}
      </Tile>
      <Tile name="Supply" remark={head && `${formatTiaShort(head.total_fee ?? 0)} of fees paid`}>
        {show(({ total_supply = 0 }) => formatTiaShort(total_supply))}
      </Tile>
    </>
  )
}

/** The newest block, how old it is, and how far the index is behind. */
function HeadTile() {
  const head = useLive((live) => live.head)
  const lagBlocks = useLive((live) => live.lagBlocks)
  const isEmpty = useIsEmpty()
  if (!head)
    return (
      <div class="tile head">
        <span class="tile-name">Latest block</span>
        <span class="tile-value">{isEmpty ? '–' : <Bone />}</span>
      </div>
    )
  return (
    <a class="tile head" href={linkTo(['block', head.last_height])}>
      <span class="tile-name">Latest block</span>
      <span class="tile-value" key={head.last_height}>
        {formatInteger(head.last_height)}
      </span>
      <span class="tile-remark">
        <Ago time={head.last_time} />
      </span>
      <Lag head={head} lagBlocks={lagBlocks} />
    </a>
  )
}

/** Against the node where it is known, and against the clock. */
function Lag({ head, lagBlocks }: { head: State; lagBlocks: number | undefined }) {
  const at = Date.parse(head.last_time)
  const age = useClock((now) => Math.max(0, Math.floor((now - at) / 1000) * 1000))
  const isOffline = useLive(({ connection }) => connection === 'offline')
  if (isOffline) return <span class="badge bad">Not connected</span>
  if (lagBlocks !== undefined && lagBlocks > 0)
    return (
      <span class="badge warn">
        {formatInteger(lagBlocks)} {lagBlocks === 1 ? 'block' : 'blocks'} behind the node
      </span>
    )
  if (age > OLD_MS)
    return (
      <span class="badge warn" title={lagBlocks === 0 ? 'The node has no newer block either' : undefined}>
        No new block for {formatSpan(age)}
      </span>
    )
  return <span class="badge good">{lagBlocks === 0 ? 'Level with the node' : 'Synced'}</span>
}

function meanBlockTime(blocks: Block[]): string {
  const times = blocks
    .slice(0, 20)
    .map(({ stats }) => stats?.block_time ?? 0)
    .filter((ms) => ms > 0)
  return times.length === 0 ? '–' : `${(times.reduce((sum, ms) => sum + ms, 0) / times.length / 1000).toFixed(2)} s`
}

const RECENT: [GetSeriesName, string][] = [
  ['blobs_size', 'Blob data'],
  ['tx_count', 'Transactions'],
  ['block_time', 'Block time'],
  ['fee', 'Fees'],
]

function RecentBlocks() {
  const blocks = useLive((live) => live.blocks)
  const isEmpty = useIsEmpty()
  const [name, setName] = useState<GetSeriesName>('blobs_size')
  const { title, format, ofBlock } = SERIES[name]
  const lines = useMemo(() => [{ name: title, points: pointsOfBlocks(blocks, ofBlock!) }], [blocks, name])
  return (
    <Panel title="Recent blocks" actions={<Switch label="Value per block" value={name} options={RECENT} onChange={setName} />}>
      {blocks.length === 0 && !isEmpty ? (
        <Skeleton height={chartRoom()} />
      ) : (
        <Chart title={`${title} of the last blocks`} lines={lines} format={format} axis="height" />
      )}
    </Panel>
  )
}

function LatestBlocks() {
  const blocks = useLive((live) => live.blocks)
  const isEmpty = useIsEmpty()
  const [first] = useState(() => blocks[0]?.height)
  return (
    <Panel title="Latest blocks" actions={<a href={linkTo(['blocks'])}>All blocks</a>}>
      <Await
        loaded={blocks.length === 0 && !isEmpty ? { state: 'loading' } : { state: 'ready', value: blocks.slice(0, 8) }}
        rows={8}
      >
        {(rows) => (
          <Table
            caption="Latest blocks"
            columns={withoutColumns(blockColumns, 'Blobs', 'Square')}
            rows={rows}
            keyOf={({ hash }) => hash}
            isNew={({ height }) => first !== undefined && height > first}
          />
        )}
      </Await>
    </Panel>
  )
}

function LatestTxs() {
  const height = useThrottled(useLive(({ head }) => head?.last_height ?? 0))
  const loaded = useLoad((signal) => api.listTxs({ sort: 'desc', limit: 8 }, { signal }), 'latest', height)
  return (
    <Panel title="Latest transactions" actions={<a href={linkTo(['txs'])}>All transactions</a>}>
      <Await loaded={loaded} rows={8}>
        {(rows) => (
          <Table
            caption="Latest transactions"
            columns={withoutColumns(txColumns, 'Signer', 'Block', 'Fee')}
            rows={rows}
            keyOf={({ id }) => id}
            empty="No transactions yet."
          />
        )}
      </Await>
    </Panel>
  )
}

function BlobSpace() {
  const height = useThrottled(
    useLive(({ head }) => head?.last_height ?? 0),
    15_000,
  )
  const loaded = useLoad((signal) => api.listNamespaceUsage({ top: 8 }, { signal }), 'usage', height)
  return (
    <Panel title="Blob data by namespace" actions={<a href={linkTo(['namespaces'])}>All namespaces</a>}>
      <Await loaded={loaded} rows={8}>
        {(rows) => <NamespaceBars rows={rows} />}
      </Await>
    </Panel>
  )
}

function MessageTypes() {
  const height = useThrottled(
    useLive(({ head }) => head?.last_height ?? 0),
    15_000,
  )
  const loaded = useLoad((signal) => api.countMessages24h({}, { signal }), 'messages', height)
  return (
    <Panel title="Messages in 24 hours" actions={<a href={linkTo(['statistics'])}>Statistics</a>}>
      <Await loaded={loaded} rows={8}>
        {(rows) => (
          <Bars
            label="Messages in 24 hours by type"
            format={formatInteger}
            most={9}
            rows={rows.map(({ name, value }) => ({ name: readableType(name), value }))}
          />
        )}
      </Await>
    </Panel>
  )
}
