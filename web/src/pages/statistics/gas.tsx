import { useState } from 'preact/hooks'
import type { GasPrice } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { GAS_SPEEDS, remarkOf } from '../../figures/gas-speeds.ts'
import { formatBytes, formatGasPrice, formatInteger, formatTia } from '../../format.ts'
import { useLive } from '../../live.ts'
import { SeriesPanel } from '../../parts/charts/series-panel.tsx'
import { Await, Bone, Panel, Tile } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { SERIES } from '../../series.ts'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'
import { useThrottled } from '../../use-throttled.ts'
import { GasPercentiles } from './gas-percentiles.tsx'

const HISTORY = ['gas_price', 'gas_efficiency', 'gas_used', 'fee'] as const

export function GasPage() {
  const gas = useLive((live) => live.gas)
  return (
    <>
      <Title text="Gas" />
      <section class="board small" aria-label="Gas prices">
        {GAS_SPEEDS.map(([field, name]) => (
          <Tile key={field} name={`${name}, utia per gas`} remark={remarkOf(field, gas?.[field] ?? '0')}>
            {gas ? formatGasPrice(gas[field]) : <Bone />}
          </Tile>
        ))}
      </section>
      <Estimator gas={gas} />
      <GasPercentiles />
      <SeriesPanel
        title="History"
        names={HISTORY.map((name) => [name, SERIES[name].title, SERIES[name].format, SERIES[name].measure] as const)}
        timeframes={['hour', 'day', 'week', 'month']}
        load={(name, timeframe, span, signal) => api.getSeries({ name, timeframe, ...span }, { signal })}
      />
    </>
  )
}

type BlobInput = { key: number; size: string; version: 0 | 1 }

const LARGEST = 4_294_967_295
const MOST_BLOBS = 50
let nextKey = 2

/** Cost of posting blobs of these sizes. */
function Estimator({ gas }: { gas: GasPrice | undefined }) {
  const [blobs, setBlobs] = useState<BlobInput[]>([{ key: 1, size: '1000', version: 0 }])
  const change = (key: number, part: Partial<BlobInput>) =>
    setBlobs((all) => all.map((blob) => (blob.key === key ? { ...blob, ...part } : blob)))
  const add = (size: string) => setBlobs((all) => [...all, { key: nextKey++, size, version: 0 as const }].slice(0, MOST_BLOBS))
  const addFiles = (files: FileList | null) => {
    for (const { size } of files ?? []) add(String(size))
  }
  const sizes = blobs.map(({ size }) => readSize(size))
  const total = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  return (
    <Panel title="Estimate a pay-for-blob transaction">
      <form class="estimator" onSubmit={(event) => event.preventDefault()}>
        <ol>
          {blobs.map(({ key, size, version }, i) => (
            <li key={key}>
              <label>
                <span>Blob {i + 1}, bytes</span>
                <input
                  inputMode="numeric"
                  value={size}
                  aria-invalid={sizes[i] === undefined}
                  onInput={(event) => change(key, { size: event.currentTarget.value })}
                />
              </label>
              <label>
                <span>Share version</span>
                <select value={version} onChange={(event) => change(key, { version: event.currentTarget.value === '1' ? 1 : 0 })}>
                  <option value={0}>0</option>
                  <option value={1}>1, with signer</option>
                </select>
              </label>
              <button
                type="button"
                class="quiet"
                disabled={blobs.length === 1}
                onClick={() => setBlobs((all) => all.filter((blob) => blob.key !== key))}
                aria-label={`Remove blob ${i + 1}`}
              >
                Remove
              </button>
            </li>
          ))}
        </ol>
        <div class="estimator-actions">
          <button type="button" onClick={() => add('1000')} disabled={blobs.length >= MOST_BLOBS}>
            Add a blob
          </button>
          <label class="button file">
            Take the size of files
            <input
              type="file"
              multiple
              onChange={(event) => {
                addFiles(event.currentTarget.files)
                event.currentTarget.value = ''
              }}
            />
          </label>
          <span class="muted">Files are not sent anywhere.</span>
        </div>
      </form>
      {sizes.includes(undefined) ? (
        <p class="empty">A size is a whole number of bytes.</p>
      ) : (
        <Estimate sizes={sizes as number[]} versions={blobs.map(({ version }) => version)} total={total} gas={gas} />
      )}
    </Panel>
  )
}

function readSize(text: string): number | undefined {
  const size = Number(text.replaceAll(/[ ,_]/g, ''))
  return text.trim() !== '' && Number.isInteger(size) && size >= 0 && size <= LARGEST ? size : undefined
}

type EstimateProps = { sizes: number[]; versions: (0 | 1)[]; total: number; gas: GasPrice | undefined }

function Estimate({ sizes, versions, total, gas }: EstimateProps) {
  const asked = useThrottled(`${sizes.join()} ${versions.join()}`, 300)
  const [sizesText = '', versionsText = ''] = asked.split(' ')
  const loaded = useLoad(
    (signal) =>
      api.estimateGasForPfb(
        { sizes: sizesText.split(',').map(Number), versions: versionsText.split(',').map((text) => (text === '1' ? 1 : 0)) },
        { signal },
      ),
    'estimate',
    asked,
  )
  return (
    <Await loaded={loaded} rows={3} missing="No gas prices yet.">
      {(needed) => (
        <>
          <p class="estimate" role="status">
            <strong>{formatInteger(needed)} gas</strong> for {formatBytes(total)} in {sizes.length}{' '}
            {sizes.length === 1 ? 'blob' : 'blobs'}
          </p>
          {gas && (
            <Table caption="Fee by gas price" columns={feeColumns(needed, gas)} rows={GAS_SPEEDS} keyOf={([field]) => field} />
          )}
        </>
      )}
    </Await>
  )
}

const feeColumns = (needed: number, gas: GasPrice): Column<(typeof GAS_SPEEDS)[number]>[] => [
  { title: 'Speed', cell: ([, name]) => name },
  { title: 'Gas price', end: true, cell: ([field]) => `${formatGasPrice(gas[field])} utia` },
  { title: 'Fee', end: true, cell: ([field]) => formatTia(String(Math.ceil(needed * Number(gas[field])))) },
]
