import { useMemo, useState } from 'preact/hooks'
import type { GasPricePoint } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatGasPrice } from '../../format.ts'
import { useLive } from '../../live.ts'
import { Chart } from '../../parts/charts/chart.tsx'
import { Legend } from '../../parts/charts/legend.tsx'
import { Await, Panel, Switch } from '../../parts/panels.tsx'
import { useLoad } from '../../use-load.ts'
import { useThrottled } from '../../use-throttled.ts'

const SPANS = [
  ['100', '100 blocks'],
  ['1000', '1,000 blocks'],
] as const

const PERCENTILES = [
  ['high', '90 % paid less'],
  ['median', 'half paid less'],
  ['low', '10 % paid less'],
] as const

/** Between which prices most transactions were paid. */
export function GasPercentiles() {
  const [span, setSpan] = useState<(typeof SPANS)[number][0]>('1000')
  const height = useThrottled(
    useLive(({ head }) => head?.last_height ?? 0),
    15_000,
  )
  const loaded = useLoad((signal) => api.getGasPriceHistory({ blocks: Number(span) }, { signal }), span, height)
  return (
    <Panel
      title="Prices that were paid"
      actions={<Switch label="Blocks of the prices" value={span} options={SPANS} onChange={setSpan} />}
    >
      <Await loaded={loaded} rows={5}>
        {(rows) => <PercentileChart rows={rows} />}
      </Await>
    </Panel>
  )
}

function PercentileChart({ rows }: { rows: GasPricePoint[] }) {
  const lines = useMemo(
    () =>
      PERCENTILES.map(([field, name]) => ({ name, points: rows.map((row) => ({ at: row.height, value: Number(row[field]) })) })),
    [rows],
  )
  return (
    <>
      <Chart title="Percentiles of gas prices, utia" lines={lines} format={formatGasPrice} axis="height" kind="line" />
      <Legend lines={lines} />
    </>
  )
}
