import { useState } from 'preact/hooks'
import type { ODS, ODSItem } from '../../../../src/client/gen/operations.ts'
import { formatBytes, formatInteger, formatPercent, formatShare, shorten } from '../../format.ts'
import { colourOf, readNamespace } from '../../namespace.ts'
import { NamespaceLink } from '../values.tsx'

/** Shares of the same kind: one colour, one line of the legend. */
export type Group = { key: string; item: ODSItem; shares: number; outline: string; colour: string }

const KINDS: Record<string, { name: string; colour: string }> = {
  tx: { name: 'Transactions', colour: 'var(--square-tx)' },
  pay_for_blob: { name: 'Pay-for-blob transactions', colour: 'var(--square-pfb)' },
  primary_reserved_padding: { name: 'Reserved padding', colour: 'var(--square-reserved)' },
  tail_padding: { name: 'Tail padding', colour: 'var(--square-tail)' },
  parity_shares: { name: 'Parity', colour: 'var(--square-reserved)' },
}

const SHARE_BYTES = 512

/** The original data square: a cell for each share of 512 bytes, coloured by namespace. */
export function Square({ ods }: { ods: ODS }) {
  const [lit, setLit] = useState<string>()
  const { width } = ods
  const groups = groupItems(ods)
  const shown = groups.find(({ key }) => key === lit)
  return (
    <div class="square">
      <SquareDrawing width={width} groups={groups} lit={lit} onLit={setLit} />
      <ul class="square-legend" aria-label="Namespaces in the square">
        {groups.map(({ key, item, shares, colour }) => (
          <li
            key={key}
            class={lit === key ? 'lit' : undefined}
            onMouseEnter={() => setLit(key)}
            onMouseLeave={() => setLit(undefined)}
            onFocusCapture={() => setLit(key)}
            onBlurCapture={() => setLit(undefined)}
          >
            <span class="swatch" style={{ background: colour }} aria-hidden="true" />
            {item.type === 'namespace' ? <NamespaceLink hash={item.namespace} /> : <span class="bar-name">{labelOf(item)}</span>}
            <span class="number muted">
              {formatInteger(shares)}
              <span class="unseen"> shares</span> · {formatShare(shares / width ** 2)}
            </span>
          </li>
        ))}
      </ul>
      {/* The legend says the same. */}
      <p class="square-detail muted number" aria-hidden="true">
        {shown ? describe(shown, width) : `${width} × ${width} shares of 512 B: point at a colour`}
      </p>
    </div>
  )
}

type DrawingProps = { width: number; groups: Group[]; lit?: string | undefined; onLit?: (key: string | undefined) => void }

/** Cells alone, without a legend. */
export function SquareDrawing({ width, groups, lit, onLit }: DrawingProps) {
  const summary = groups.map(({ item, shares }) => `${labelOf(item)} ${shares}`).slice(0, 12)
  return (
    <svg
      viewBox={`0 0 ${width} ${width}`}
      role="img"
      aria-label={`Data square of ${width} by ${width} shares: ${summary.join(', ')}`}
      class={lit === undefined ? undefined : 'has-lit'}
    >
      {groups.map(({ key, item, outline, colour }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the legend does the same for keyboards
        <path
          key={key}
          d={outline}
          style={{ fill: colour }}
          class={lit === key ? 'lit' : undefined}
          onMouseEnter={() => onLit?.(key)}
          onMouseLeave={() => onLit?.(undefined)}
        >
          <title>{labelOf(item)}</title>
        </path>
      ))}
      <path class="square-grid" d={gridOf(width)} style={{ strokeWidth: `${Math.min(0.08, width / 500)}px` }} />
    </svg>
  )
}

const labelOf = ({ type, namespace }: ODSItem) =>
  KINDS[type]?.name ?? `Namespace ${readNamespace(namespace)?.name || shorten(namespace)}`

const describe = ({ item, shares }: Group, width: number) =>
  `${labelOf(item)}: ${formatInteger(shares)} ${shares === 1 ? 'share' : 'shares'}, ${formatBytes(shares * SHARE_BYTES)}, ${formatPercent(shares / width ** 2)}`

export function groupItems({ width, items }: ODS): Group[] {
  const groups = new Map<string, Group>()
  for (const item of items) {
    const key = item.type === 'namespace' ? item.namespace : item.type
    let group = groups.get(key)
    if (!group) {
      const colour = KINDS[item.type]?.colour ?? colourOf(key)
      group = { key, item, shares: 0, outline: '', colour }
      groups.set(key, group)
    }
    group.shares += indexOf(item.to, width) - indexOf(item.from, width) + 1
    group.outline += outlineOf(item, width)
  }
  return [...groups.values()]
}

const indexOf = ([row, column]: [number, number], width: number) => row * width + column

const box = (row: number, column: number, height: number, length: number) =>
  height > 0 && length > 0 ? `M${column} ${row}h${length}v${height}h${-length}z` : ''

/** A run in reading order is up to three boxes: the rest of its first row, whole rows, the start of its last row. */
function outlineOf({ from: [top, left], to: [bottom, right] }: ODSItem, width: number): string {
  if (top === bottom) return box(top, left, 1, right - left + 1)
  return box(top, left, 1, width - left) + box(top + 1, 0, bottom - top - 1, width) + box(bottom, 0, 1, right + 1)
}

/** Lines between the cells, as long as cells can be told apart. */
function gridOf(width: number): string {
  if (width < 2 || width > 64) return ''
  const lines = Array.from({ length: width - 1 }, (_, i) => i + 1)
  return lines.map((at) => `M${at} 0v${width}M0 ${at}h${width}`).join('')
}
