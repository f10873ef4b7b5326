import { formatInteger } from '../format.ts'
import { useIsEmpty, useLive } from '../live.ts'
import { site } from '../networks.ts'

/** Says what the whole page suffers from: no server, a chain of which nothing is there yet, or an index that began without state. */
export function Notice() {
  const isOffline = useLive(({ connection }) => connection === 'offline')
  const isEmpty = useIsEmpty()
  const first = useLive(({ head }) => head?.no_state_before)
  const text = isOffline
    ? 'The server does not answer. What is shown may be old; it is asked again every few seconds.'
    : isEmpty
      ? 'No block is indexed yet. The page fills as soon as the first one arrives.'
      : first !== undefined
        ? `This index begins at block ${formatInteger(first)} without the state of the chain before it: accounts, stake, governance and bridges are not shown.`
        : undefined
  return (
    <div class="notice-room" role="status">
      {text && <p class={`notice ${isOffline ? 'bad' : ''}`}>{text}</p>}
    </div>
  )
}

/** Says that the blocks are generated, so that they are not mistaken for a real network's. */
export function DemoBanner() {
  const isDemo = site?.networks.some(({ name, demo }) => demo && name === site?.current)
  if (!isDemo) return null
  return (
    <p class="notice">
      <strong>Demo chain.</strong> Its blocks are generated on this machine: accounts, amounts and rollups are made up.
    </p>
  )
}
