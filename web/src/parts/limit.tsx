import { formatPercent } from '../format.ts'

type LimitProps = { name: string; part: number; limit: string | undefined; remark: string }

/** A part of a whole as a bar, with a mark where something is decided. */
export function Limit({ name, part, limit, remark }: LimitProps) {
  const mark = limit === undefined ? undefined : Number(limit)
  const text = mark === undefined ? '' : `${remark} ${formatPercent(mark)}`
  return (
    <div class="limit">
      <span>{name}</span>
      <span class="number">{formatPercent(part)}</span>
      <span class="limit-bar" role="img" aria-label={`${name}: ${formatPercent(part)}${text && `, ${text}`}`}>
        <span class={mark !== undefined && part > mark ? 'limit-part over' : 'limit-part'} style={{ width: toWidth(part) }} />
        {mark !== undefined && <span class="limit-mark" style={{ left: toWidth(mark) }} />}
      </span>
      <small class="muted">{text}</small>
    </div>
  )
}

const toWidth = (part: number) => `${Math.max(0, Math.min(1, part)) * 100}%`
