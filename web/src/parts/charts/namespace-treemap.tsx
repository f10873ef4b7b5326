import type { NamespaceUsage } from '../../../../src/client/gen/operations.ts'
import { formatBytes, formatShare } from '../../format.ts'
import { base64Of, colourOf } from '../../namespace.ts'
import { linkTo } from '../../router.ts'
import { layTreemap } from '../../treemap.ts'
import { Empty } from '../panels.tsx'

const RATIO = 3
/** Of the whole: smaller boxes have no room for a word. */
const LEAST_WIDTH = 0.07
const LEAST_HEIGHT = 0.12

/** Every namespace as a box as large as what it holds. The row without an id is all that are not listed. */
export function NamespaceTreemap({ rows }: { rows: readonly NamespaceUsage[] }) {
  const total = rows.reduce((sum, { size }) => sum + size, 0)
  if (total === 0) return <Empty>No blob has been posted yet.</Empty>
  return (
    <ul class="treemap" aria-label="Namespaces by blob data">
      {layTreemap(rows, ({ size }) => size, RATIO).map(({ item, left, top, width, height }) => {
        const { name, size, namespace_id, version } = item
        const text = `${name || 'zero'}: ${formatBytes(size)}, ${formatShare(size / total)}`
        const label =
          width >= LEAST_WIDTH && height >= LEAST_HEIGHT ? (
            <>
              <span>{name || 'zero'}</span>
              <small>{formatShare(size / total)}</small>
            </>
          ) : (
            <span class="unseen">{text}</span>
          )
        return (
          <li
            key={`${namespace_id} ${version}`}
            style={{
              left: `${left * 100}%`,
              top: `${top * 100}%`,
              width: `${width * 100}%`,
              height: `${height * 100}%`,
              background: namespace_id === undefined ? 'var(--square-reserved)' : colourOf(base64Of(version ?? 0, namespace_id)),
            }}
          >
            {namespace_id === undefined ? (
              <span class="treemap-box" title={text}>
                {label}
              </span>
            ) : (
              <a class="treemap-box" href={linkTo(['namespace', namespace_id, version ?? 0])} title={text}>
                {label}
              </a>
            )}
          </li>
        )
      })}
    </ul>
  )
}
