import type { Uptimes } from '../../../../src/client/gen/operations.ts'
import { formatInteger } from '../../format.ts'

/** A cell for each block, oldest first: the more validators did not sign it, the warmer. */
export function MissedStrip({ uptimes: { last_height, blocks, validators } }: { uptimes: Uptimes }) {
  const counts = new Map<number, number>()
  for (const { missed } of validators) for (const height of missed ?? []) counts.set(height, (counts.get(height) ?? 0) + 1)
  const most = Math.max(1, ...counts.values())
  const heights = Array.from({ length: blocks }, (_, i) => last_height - blocks + 1 + i)
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const worst = [...counts].sort((a, b) => b[1] - a[1])[0]
  return (
    <div class="missed-strip">
      <svg
        viewBox={`0 0 ${blocks} 1`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Signatures missed in the last ${blocks} blocks: ${total}${worst ? `, most in block ${worst[0]}: ${worst[1]}` : ''}`}
      >
        {heights.map((height, i) => {
          const count = counts.get(height) ?? 0
          return (
            <rect
              key={height}
              x={i}
              width="0.94"
              height="1"
              class={count === 0 ? 'signed' : 'missed'}
              style={count === 0 ? undefined : { opacity: 0.25 + 0.75 * (count / most) }}
            >
              <title>{`Block ${formatInteger(height)}: ${count} of ${validators.length} missed`}</title>
            </rect>
          )
        })}
      </svg>
      <p class="muted">
        Block {formatInteger(heights[0] ?? 0)} to {formatInteger(last_height)}: {formatInteger(total)}{' '}
        {total === 1 ? 'signature' : 'signatures'} missed{worst && `, at most ${worst[1]} in one block`}.
      </p>
    </div>
  )
}
