import { useMemo, useState } from 'preact/hooks'
import type { GetSeriesName } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatBytes, formatPercent, formatTiaShort } from '../../format.ts'
import { Chart } from '../../parts/charts/chart.tsx'
import { Legend } from '../../parts/charts/legend.tsx'
import type { Line, Point } from '../../parts/charts/line.ts'
import { Await, Panel } from '../../parts/panels.tsx'
import { SERIES, type SeriesPoints } from '../../series.ts'
import { type Loaded, useLoad } from '../../use-load.ts'

type Props = { loaded: Loaded<SeriesPoints>; frame: string; axis: 'time' | 'height' }

/** Bytes of a blob in each share after the first. */
const SHARE_CONTENT = 482
const MIB = 2 ** 20

const formatRate = (value: number) => `${formatBytes(value)}/s`

/** How many bytes of blobs fit into a block by the chain's parameters; undefined where they do not tell. */
function useBlockLimit(): number | undefined {
  const loaded = useLoad((signal) => api.getConstants({}, { signal }), 'constants')
  if (loaded.state !== 'ready') return undefined
  const { blob, consensus } = loaded.value.module
  const square = Number(blob?.gov_max_square_size ?? Number.NaN) ** 2 * SHARE_CONTENT
  const bytes = Number(consensus?.block_max_bytes ?? Number.NaN)
  const limit = Math.min(...[square, bytes].filter((value) => value > 0))
  return Number.isFinite(limit) ? limit : undefined
}

/** Posted bytes against the capacity of the chain. */
export function Throughput({ loaded, frame, axis }: Props) {
  const limit = useBlockLimit()
  return (
    <Panel title="Throughput against the limit">
      <Await loaded={loaded} rows={5}>
        {(points) => <ThroughputChart points={points} limit={limit} frame={frame} axis={axis} />}
      </Await>
    </Panel>
  )
}

type ThroughputProps = Omit<Props, 'loaded'> & { points: SeriesPoints; limit: number | undefined }

function ThroughputChart({ points: { bps = [], block_time = [] }, limit, frame, axis }: ThroughputProps) {
  const lines = useMemo((): Line[] => {
    const posted = { name: 'Blob data posted', points: bps }
    if (limit === undefined) return [posted]
    const most = ({ at }: Point, i: number) => ({ at, value: perSecond(limit, block_time[i]?.value ?? 0) })
    return [posted, { name: 'Limit of the chain', points: bps.map(most) }]
  }, [bps, block_time, limit])
  const [used, most] = lines.map(({ points }) => points.at(-1)?.value ?? 0)
  return (
    <>
      <Chart title={`Throughput per ${frame}`} lines={lines} format={formatRate} axis={axis} kind="line" isLog />
      <Legend lines={lines} />
      {most ? (
        <p class="muted">
          The last {frame} used {formatPart(used! / most)} of the limit, which is {formatBytes(limit!)} of blobs per block.
        </p>
      ) : null}
    </>
  )
}

/** A small share is not shown as zero. */
const formatPart = (part: number) => (part > 0 && part < 0.0001 ? 'less than 0.01%' : formatPercent(part))

const perSecond = (bytes: number, blockMs: number) => (blockMs > 0 ? (bytes * 1000) / blockMs : 0)

/** Cost of a MiB of blob data: all fees of the chain divided by its blobs. */
export function FeePerMib({ loaded, frame, axis }: Props) {
  return (
    <Panel title="Fees per MiB of blob data">
      <Await loaded={loaded} rows={5}>
        {(points) => <FeeChart points={points} frame={frame} axis={axis} />}
      </Await>
    </Panel>
  )
}

function FeeChart({ points: { fee = [], blobs_size = [] }, frame, axis }: Omit<ThroughputProps, 'limit'>) {
  const lines = useMemo(() => {
    const points = fee.flatMap(({ at, value }, i) => {
      const size = blobs_size[i]?.value ?? 0
      return size > 0 ? [{ at, value: (value / size) * MIB }] : []
    })
    return [{ name: 'Fees per MiB', points }]
  }, [fee, blobs_size])
  return <Chart title={`Fees per MiB, by ${frame}`} lines={lines} format={formatTiaShort} axis={axis} kind="line" />
}

type ComparisonProps = Omit<Props, 'frame'> & { names: readonly GetSeriesName[]; titleOf: (name: string) => string }

/** Two series over the same times, each with its own axis. */
export function Comparison({ loaded, names, titleOf, axis }: ComparisonProps) {
  const [first, setFirst] = useState<GetSeriesName>('blobs_size')
  const [second, setSecond] = useState<GetSeriesName>('fee')
  const select = (label: string, value: GetSeriesName, onChange: (name: GetSeriesName) => void) => (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value as GetSeriesName)}>
      {names.map((name) => (
        <option key={name} value={name} selected={name === value}>
          {SERIES[name].title}
        </option>
      ))}
    </select>
  )
  return (
    <Panel
      title="Two series compared"
      actions={
        <>
          {select('First series', first, setFirst)}
          {select('Second series', second, setSecond)}
        </>
      }
    >
      <Await loaded={loaded} rows={5}>
        {(points) => <ComparedChart points={points} first={first} second={second} titleOf={titleOf} axis={axis} />}
      </Await>
    </Panel>
  )
}

type ComparedProps = { points: SeriesPoints; first: GetSeriesName; second: GetSeriesName } & Pick<
  ComparisonProps,
  'titleOf' | 'axis'
>

function ComparedChart({ points, first, second, titleOf, axis }: ComparedProps) {
  const lines = useMemo((): Line[] => {
    const left = { name: SERIES[first].title, points: points[first] ?? [] }
    if (first === second) return [left]
    return [left, { name: SERIES[second].title, points: points[second] ?? [], format: SERIES[second].format }]
  }, [points, first, second])
  const title = titleOf(lines.map(({ name }) => name).join(' and '))
  return (
    <>
      <Chart title={title} lines={lines} format={SERIES[first].format} axis={axis} kind="line" height={240} />
      <Legend lines={lines} />
    </>
  )
}
