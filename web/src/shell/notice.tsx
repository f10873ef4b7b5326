import { useIsEmpty, useLive } from '../live.ts'

/** Says what the whole page suffers from: no server, or a chain of which nothing is there yet. */
export function Notice() {
  const isOffline = useLive(({ connection }) => connection === 'offline')
  const isEmpty = useIsEmpty()
  const text = isOffline
    ? 'The server does not answer. What is shown may be old; it is asked again every few seconds.'
    : isEmpty
      ? 'No block is indexed yet. The page fills as soon as the first one arrives.'
      : undefined
  return (
    <div class="notice-room" role="status">
      {text && <p class={`notice ${isOffline ? 'bad' : ''}`}>{text}</p>}
    </div>
  )
}
