import { uptimeCells } from '../../figures/uptime.ts'
import { formatPercent } from '../../format.ts'

type UptimeStripProps = {
  /** newest height */
  last: number
  /** how many heights up to it */
  blocks: number
  /** newest first */
  missed: number[]
}

const HEIGHT = 16

/** A cell for each block or, of many, for a few in a row, oldest first; the part of it that was missed stands above in another colour. */
export function UptimeStrip({ last, blocks, missed }: UptimeStripProps) {
  const part = formatPercent(blocks === 0 ? 0 : (blocks - missed.length) / blocks)
  const oldestFirst = [...missed].reverse()
  const label = `${part} of the last ${blocks} blocks signed${missed.length > 0 ? `, missed ${listHeights(oldestFirst)}` : ''}`
  const cells = uptimeCells(last, blocks, missed)
  return (
    <span class="uptime">
      <svg viewBox={`0 0 ${cells.length * 4} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {cells.map(({ from, to, count, missedPart }, i) => {
          const top = HEIGHT * missedPart
          return (
            <g key={from}>
              {missedPart < 1 && <rect class="signed" x={i * 4} y={top} width="3" height={HEIGHT - top} />}
              {missedPart > 0 && <rect class="missed" x={i * 4} y={0} width="3" height={top} />}
              <title>{from === to ? `${from} ${count === 0 ? 'signed' : 'missed'}` : `${from} to ${to}: ${count} missed`}</title>
            </g>
          )
        })}
      </svg>
      <span class="number">{part}</span>
    </span>
  )
}

const listHeights = (heights: number[]) =>
  heights.length > 10 ? `${heights.slice(0, 10).join(', ')} and ${heights.length - 10} more` : heights.join(', ')
