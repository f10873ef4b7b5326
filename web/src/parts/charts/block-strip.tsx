import type { Block, ODS } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatBytes, formatInteger } from '../../format.ts'
import { useIsEmpty, useLive } from '../../live.ts'
import { linkTo } from '../../router.ts'
import { type Loaded, useLoad } from '../../use-load.ts'
import { useThrottled } from '../../use-throttled.ts'
import { Empty, Panel, Skeleton } from '../panels.tsx'
import { Ago, NamespaceLink } from '../values.tsx'
import { groupItems, SquareDrawing } from './square.tsx'

const SHOWN = 7
const LEGEND = 4
/** Height of the newest square with its words; the style reserves more where the others stand below it. */
const ROOM = 168

/** The last blocks that hold blobs as squares, the newest large and with the names of its namespaces. */
export function BlockStrip() {
  const known = useThrottled(
    useLive(({ blocks }) => blocks),
    5000,
  )
  const isEmpty = useIsEmpty()
  const blocks = known.filter(({ stats }) => (stats?.blobs_count ?? 0) > 0)
  return (
    <Panel title="Latest data" actions={<a href={linkTo(['blobs'])}>All blobs</a>}>
      {known.length === 0 && !isEmpty ? (
        <div class="strip">
          <Skeleton height={ROOM} />
        </div>
      ) : blocks.length === 0 ? (
        <Empty>{known.length === 0 ? 'No block yet.' : `No blob in the last ${formatInteger(known.length)} blocks.`}</Empty>
      ) : (
        <ol class="strip">
          {blocks.slice(0, SHOWN).map((block, i) => (
            <BlockSquare key={block.hash} block={block} isNewest={i === 0} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function BlockSquare({ block: { height, time, stats }, isNewest }: { block: Block; isNewest: boolean }) {
  const loaded = useLoad((signal) => api.getBlockOds({ height }, { signal }), 'ods')
  return (
    <li>
      <a class="strip-block" href={linkTo(['block', height])} aria-label={`Block ${formatInteger(height)}`}>
        <StripSquare loaded={loaded} />
      </a>
      <div class="strip-words">
        <strong class="number">{formatInteger(height)}</strong>
        <small class="muted number">{formatBytes(stats?.blobs_size ?? 0)}</small>
        {isNewest && (
          <>
            <small class="muted">
              <Ago time={time} />
            </small>
            {loaded.state === 'ready' && <Namespaces ods={loaded.value} />}
          </>
        )}
      </div>
    </li>
  )
}

function StripSquare({ loaded }: { loaded: Loaded<ODS> }) {
  if (loaded.state === 'loading') return <span class="bone" aria-hidden="true" />
  if (loaded.state !== 'ready') return null
  return <SquareDrawing width={loaded.value.width} groups={groupItems(loaded.value)} />
}

function Namespaces({ ods }: { ods: ODS }) {
  const largest = groupItems(ods)
    .filter(({ item }) => item.type === 'namespace')
    .sort((a, b) => b.shares - a.shares)
  return (
    <ul class="strip-legend" aria-label="Namespaces of the newest">
      {largest.slice(0, LEGEND).map(({ key, colour }) => (
        <li key={key}>
          <span class="swatch" style={{ background: colour }} aria-hidden="true" />
          <NamespaceLink hash={key} />
        </li>
      ))}
    </ul>
  )
}
