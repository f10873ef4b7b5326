import { formatShare } from '../../format.ts'
import { Empty } from '../panels.tsx'

type Row = { name: string; value: number; href?: string; colour?: string }

type BarsProps = {
  label: string
  /** all of them: shares are of the whole */
  rows: Row[]
  format: (value: number) => string
  /** how many get a bar of their own; the others share one */
  most?: number
}

/** Values side by side as bars of a list. */
export function Bars({ label, rows: all, format, most: drawn = Number.POSITIVE_INFINITY }: BarsProps) {
  if (all.length === 0) return <Empty>Nothing yet.</Empty>
  const rows = gather(all, drawn)
  const most = Math.max(...rows.map(({ value }) => value), 1)
  const sum = sumOf(rows) || 1
  return (
    <ul class="bars" aria-label={label}>
      {rows.map(({ name, value, href, colour }, i) => (
        <li key={`${name} ${i}`}>
          <span class="bar" style={{ width: `${(value / most) * 100}%`, '--bar': colour }} aria-hidden="true" />
          <span class="bar-name">{href ? <a href={href}>{name}</a> : name}</span>
          <span class="number">{format(value)}</span>
          <span class="number bar-part">{formatShare(value / sum)}</span>
        </li>
      ))}
    </ul>
  )
}

const sumOf = (rows: Row[]) => rows.reduce((total, { value }) => total + value, 0)

function gather(rows: Row[], drawn: number): Row[] {
  if (rows.length <= drawn) return rows
  const others = rows.slice(drawn - 1)
  return [...rows.slice(0, drawn - 1), { name: `${others.length} others`, value: sumOf(others) }]
}
