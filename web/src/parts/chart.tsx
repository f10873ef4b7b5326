import { useEffect, useRef, useState } from 'preact/hooks'
import { formatMoment } from '../format.ts'
import { useTheme } from '../theme.ts'
import { Empty } from './blocks.tsx'
import type { Plot } from './plot.ts'

/** `at`: unix seconds, or a height. */
export type Point = { at: number; value: number }
export type Line = { name: string; points: Point[] }

export type ChartProps = {
  /** what is drawn, for those who do not see it */
  title: string
  lines: Line[]
  format: (value: number) => string
  /** what `at` is */
  axis?: 'time' | 'height'
  kind?: 'bars' | 'line'
  height?: number
}

/** A chart, or the same numbers as a table. */
export function Chart(props: ChartProps) {
  const { title, lines, format, axis = 'time' } = props
  const [isTable, setTable] = useState(false)
  const count = lines[0]?.points.length ?? 0
  if (count === 0) return <Empty>No values in this period.</Empty>
  const last = lines[0]!.points.at(-1)!
  const label = `${title}: ${count} ${count === 1 ? 'value' : 'values'}, the last ${format(last.value)} at ${nameOf(last.at, axis)}`
  return (
    <div class="chart">
      {isTable ? <Values {...props} /> : <Canvas {...props} label={label} />}
      <button
        type="button"
        class="quiet"
        aria-pressed={isTable}
        onClick={() => setTable(!isTable)}
        aria-label={`Table of ${title}`}
      >
        Table
      </button>
    </div>
  )
}

export const nameOf = (at: number, axis: 'time' | 'height') =>
  axis === 'height' ? `block ${at.toLocaleString('en')}` : formatMoment(new Date(at * 1000).toISOString())

function Canvas({ label, ...props }: ChartProps & { label: string }) {
  const room = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | undefined>(undefined)
  const theme = useTheme()
  const { lines, axis = 'time', kind = 'bars', height = 180 } = props
  // The library is loaded with the first chart; a new theme means new colours, so the chart is created again.
  useEffect(() => {
    let isOver = false
    import('./plot.ts').then(({ drawPlot }) => {
      if (!isOver && room.current) plot.current = drawPlot(room.current, { ...props, axis, kind, height })
    })
    return () => {
      isOver = true
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [theme, axis, kind, height, lines.map(({ name }) => name).join(), props.format])
  useEffect(() => plot.current?.update(lines), [lines])
  return <div class="chart-room" ref={room} role="img" aria-label={label} style={{ minHeight: `${height}px` }} />
}

function Values({ title, lines, format, axis = 'time' }: ChartProps) {
  const rows = [...(lines[0]?.points ?? [])].reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="chart-values" aria-label={`Values of ${title}`} tabIndex={0}>
      <table>
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{axis === 'height' ? 'Block' : 'Time'}</th>
            {lines.map(({ name }) => (
              <th key={name} scope="col" class="end">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at }, i) => (
            <tr key={at}>
              <td>{nameOf(at, axis)}</td>
              {lines.map(({ name, points }) => (
                <td key={name} class="end number">
                  {format(points[points.length - 1 - i]?.value ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
