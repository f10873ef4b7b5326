import { useMemo } from 'preact/hooks'
import type { Price } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { useChainDays } from '../../chain-age.ts'
import { formatChange, formatCompact, formatInteger, formatNumber, formatTiaShort, readableType } from '../../format.ts'
import { Bars } from '../../parts/charts/bars.tsx'
import { Chart } from '../../parts/charts/chart.tsx'
import { NamespaceBars } from '../../parts/charts/namespace-bars.tsx'
import { Await, Bone, Panel, Tile } from '../../parts/panels.tsx'
import { useLoad } from '../../use-load.ts'

const CHANGES = [
  ['tx_count_24h', 'Transactions, 24 h'],
  ['blobs_size_24h', 'Blob data, 24 h'],
  ['bytes_in_block_24h', 'Block bytes, 24 h'],
  ['fee_24h', 'Fees, 24 h'],
] as const

/** How the last day compares with the one before, and the rate of transactions. */
export function DayNumbers() {
  const changes = useLoad((signal) => api.getChanges24h({}, { signal }), 'changes')
  const tps = useLoad((signal) => api.getTps({}, { signal }), 'tps')
  const days = useChainDays()
  const hasDayBefore = days !== undefined && days >= 2
  return (
    <section class="board small" aria-label="Changes">
      {CHANGES.map(([field, name]) => (
        <Tile key={field} name={name} remark={hasDayBefore ? 'against the day before' : 'no whole day before to compare with'}>
          {changes.state === 'loading' || days === undefined ? (
            <Bone />
          ) : changes.state === 'ready' && hasDayBefore ? (
            formatChange(changes.value[field])
          ) : (
            '–'
          )}
        </Tile>
      ))}
      <Tile
        name="Transactions per second"
        remark={
          tps.state === 'ready' && tps.value.high > 0
            ? `${formatCompact(tps.value.low)} to ${formatCompact(tps.value.high)} in a week`
            : 'last hour'
        }
      >
        {tps.state === 'ready' ? formatCompact(tps.value.current) : tps.state === 'loading' ? <Bone /> : '–'}
      </Tile>
    </section>
  )
}

export function MessageCounts() {
  const loaded = useLoad((signal) => api.countMessages24h({}, { signal }), 'messages')
  return (
    <Panel title="Messages in 24 hours">
      <Await loaded={loaded} rows={6}>
        {(rows) => (
          <Bars
            label="Messages in 24 hours by type"
            format={formatInteger}
            most={12}
            rows={rows.map(({ name, value }) => ({ name: readableType(name), value }))}
          />
        )}
      </Await>
    </Panel>
  )
}

export function SizeGroups() {
  const loaded = useLoad((signal) => api.listSizeGroups({}, { signal }), 'sizes')
  return (
    <Panel title="Blob sizes in 24 hours">
      <Await loaded={loaded} rows={5}>
        {(rows) => (
          <Bars label="Blobs by size" format={formatInteger} rows={rows.map(({ name, count }) => ({ name, value: count }))} />
        )}
      </Await>
    </Panel>
  )
}

export function NamespaceShares() {
  const loaded = useLoad((signal) => api.listNamespaceUsage({ top: 12 }, { signal }), 'usage')
  return (
    <Panel title="Blob data by namespace">
      <Await loaded={loaded} rows={6}>
        {(rows) => <NamespaceBars rows={rows} />}
      </Await>
    </Panel>
  )
}

export function SquareSizes() {
  const loaded = useLoad((signal) => api.listSquareSizes({}, { signal }), 'squares')
  return (
    <Panel title="Square sizes in a month">
      <Await loaded={loaded} rows={6}>
        {(sizes) => (
          <Bars
            label="Blocks by square size"
            format={formatInteger}
            rows={Object.entries(sizes)
              .sort(([a], [b]) => Number(a) - Number(b))
              .map(([size, days]) => ({
                name: `${size} × ${size}`,
                value: days.reduce((sum, { value }) => sum + Number(value), 0),
              }))}
          />
        )}
      </Await>
    </Panel>
  )
}

export function StakeShares() {
  const loaded = useLoad((signal) => api.getStakingDistribution({}, { signal }), 'stake')
  return (
    <Panel title="Stake by validator">
      <Await loaded={loaded} rows={6}>
        {(shares) => (
          <Bars
            label="Stake by validator"
            format={formatTiaShort}
            rows={Object.entries(shares)
              .map(([name, months]) => ({ name, value: Number(latestOf(months)?.value ?? 0) }))
              .sort((a, b) => b.value - a.value)}
            most={12}
          />
        )}
      </Await>
    </Panel>
  )
}

const latestOf = <T extends { time: string }>(rows: T[]) =>
  rows.reduce<T | undefined>((last, row) => (last && last.time > row.time ? last : row), undefined)

/** Prices come from outside of the chain and may be absent; then nothing is shown. */
export function PricePanel() {
  const loaded = useLoad((signal) => api.getPriceSeries({ timeframe: '1h' }, { signal }), 'price')
  if (loaded.state !== 'ready' || loaded.value.length === 0) return null
  return (
    <Panel title="Price, USDT">
      <PriceChart candles={loaded.value} />
    </Panel>
  )
}

const dollars = (value: number) => `$${formatNumber(value)}`

function PriceChart({ candles }: { candles: Price[] }) {
  const lines = useMemo(() => {
    const points = candles
      .map(({ time, close }) => ({ at: Math.floor(Date.parse(time) / 1000), value: Number(close) }))
      .sort((a, b) => a.at - b.at)
    return [{ name: 'Close', points }]
  }, [candles])
  return <Chart title="Price per hour" lines={lines} format={dollars} kind="line" />
}
