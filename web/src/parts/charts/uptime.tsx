import { formatPercent } from '../../format.ts'

type UptimeStripProps = {
  /** newest height */
  last: number
  /** how many heights up to it */
  blocks: number
  /** newest first */
  missed: number[]
}

/** More cells would be thinner than what the eye tells apart. */
const MOST_CELLS = 100
const HEIGHT = 16

/** A cell for each block or, of many, for a few in a row, oldest first; those with missed ones are lower and of another colour. */
export function UptimeStrip({ last, blocks, missed }: UptimeStripProps) {
  const part = formatPercent(blocks === 0 ? 0 : (blocks - missed.length) / blocks)
  const oldestFirst = [...missed].reverse()
  const label = `${part} of the last ${blocks} blocks signed${missed.length > 0 ? `, missed ${listHeights(oldestFirst)}` : ''}`
  const cells = toCells(last, blocks, missed)
  return (
    <span class="uptime">
      <svg viewBox={`0 0 ${cells.length * 4} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {cells.map(({ from, to, count }, i) => {
          const height = HEIGHT * (1 - (0.5 * count) / (to - from + 1))
          return (
            <rect key={from} class={count === 0 ? 'signed' : 'missed'} x={i * 4} y={HEIGHT - height} width="3" height={height}>
              <title>{from === to ? `${from} ${count === 0 ? 'signed' : 'missed'}` : `${from} to ${to}: ${count} missed`}</title>
            </rect>
          )
        })}
      </svg>
      <span class="number">{part}</span>
    </span>
  )
}

type Cell = { from: number; to: number; count: number }

function toCells(last: number, blocks: number, missed: number[]): Cell[] {
  const size = Math.max(1, Math.ceil(blocks / MOST_CELLS))
  const first = last - blocks + 1
  const cells = Array.from({ length: Math.ceil(blocks / size) }, (_, i): Cell => {
    const from = first + i * size
    return { from, to: Math.min(last, from + size - 1), count: 0 }
  })
  for (const height of missed) cells[Math.floor((height - first) / size)]!.count++
  return cells
}

const listHeights = (heights: number[]) =>
  heights.length > 10 ? `${heights.slice(0, 10).join(', ')} and ${heights.length - 10} more` : heights.join(', ')
