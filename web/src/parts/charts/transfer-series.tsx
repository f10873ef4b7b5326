import { formatCompact } from '../../format.ts'
import { SeriesPanel, type SeriesPanelProps } from './series-panel.tsx'

type Props = Pick<SeriesPanelProps<'count' | 'amount', 'hour' | 'day' | 'month'>, 'load'>

/** Transfers of a bridge, a channel or a remote chain over time: how many, and how much. */
export function TransferSeries({ load }: Props) {
  return (
    <SeriesPanel
      title="Transfers over time"
      names={[
        ['count', 'Transfers', formatCompact],
        ['amount', 'Amount', formatCompact],
      ]}
      timeframes={['hour', 'day', 'month']}
      load={load}
    />
  )
}
