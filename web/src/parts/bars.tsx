import { formatShare } from '../format.ts'
import { Empty } from './blocks.tsx'

type Row = { name: string; value: number; href?: string }

/** Values side by side as bars of a list. */
export function Bars({ label, rows, format }: { label: string; rows: Row[]; format: (value: number) => string }) {
  if (rows.length === 0) return <Empty>Nothing yet.</Empty>
  const most = Math.max(...rows.map(({ value }) => value), 1)
  const sum = rows.reduce((total, { value }) => total + value, 0) || 1
  return (
    <ul class="bars" aria-label={label}>
      {rows.map(({ name, value, href }, i) => (
        <li key={`${name} ${i}`}>
          <span class="bar" style={{ width: `${(value / most) * 100}%` }} aria-hidden="true" />
          <span class="bar-name">{href ? <a href={href}>{name}</a> : name}</span>
          <span class="number">{format(value)}</span>
          <span class="number bar-part">{formatShare(value / sum)}</span>
        </li>
      ))}
    </ul>
  )
}
