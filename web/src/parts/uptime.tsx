import { formatPercent } from '../format.ts'

type UptimeStripProps = {
  /** newest height */
  last: number
  /** how many heights up to it */
  blocks: number
  /** newest first */
  missed: number[]
}

/** A mark for each block, oldest first; the missed ones are lower and of another colour. */
export function UptimeStrip({ last, blocks, missed }: UptimeStripProps) {
  const isMissed = new Set(missed)
  const heights = Array.from({ length: blocks }, (_, i) => last - blocks + 1 + i)
  const part = formatPercent(blocks === 0 ? 0 : (blocks - missed.length) / blocks)
  const oldestFirst = [...missed].reverse()
  const label = `${part} of the last ${blocks} blocks signed${missed.length > 0 ? `, missed ${listHeights(oldestFirst)}` : ''}`
  return (
    <span class="uptime">
      <svg viewBox={`0 0 ${blocks * 4} 16`} preserveAspectRatio="none" role="img" aria-label={label}>
        {heights.map((height, i) => {
          const signed = !isMissed.has(height)
          return (
            <rect
              key={height}
              class={signed ? 'signed' : 'missed'}
              x={i * 4}
              y={signed ? 0 : 8}
              width="3"
              height={signed ? 16 : 8}
            >
              <title>
                {height} {signed ? 'signed' : 'missed'}
              </title>
            </rect>
          )
        })}
      </svg>
      <span class="number">{part}</span>
    </span>
  )
}

const listHeights = (heights: number[]) =>
  heights.length > 10 ? `${heights.slice(0, 10).join(', ')} and ${heights.length - 10} more` : heights.join(', ')
