import type { ValidatorUptime } from '../../../src/client/gen/operations.ts'
import { formatPercent } from '../format.ts'

/** A mark for each block, oldest first; the missed ones are lower and of another colour. */
export function UptimeStrip({ uptime: { blocks, uptime } }: { uptime: ValidatorUptime }) {
  const ordered = [...blocks].reverse()
  const missed = ordered.filter(({ signed }) => !signed).map(({ height }) => height)
  const label = `${formatPercent(Number(uptime))} of the last ${ordered.length} blocks signed${missed.length > 0 ? `, missed ${listHeights(missed)}` : ''}`
  return (
    <span class="uptime">
      <svg viewBox={`0 0 ${ordered.length * 4} 16`} preserveAspectRatio="none" role="img" aria-label={label}>
        {ordered.map(({ height, signed }, i) => (
          <rect key={height} class={signed ? 'signed' : 'missed'} x={i * 4} y={signed ? 0 : 8} width="3" height={signed ? 16 : 8}>
            <title>
              {height} {signed ? 'signed' : 'missed'}
            </title>
          </rect>
        ))}
      </svg>
      <span class="number">{formatPercent(Number(uptime))}</span>
    </span>
  )
}

const listHeights = (heights: number[]) =>
  heights.length > 10 ? `${heights.slice(0, 10).join(', ')} and ${heights.length - 10} more` : heights.join(', ')
