import { useClock } from '../clock.ts'
import { formatSpan } from '../format.ts'
import { type Connection, isOld, useLive } from '../live.ts'

const WORDS: Record<Connection, [name: string, explanation: string]> = {
  connecting: ['Connecting', 'Opening the connection'],
  live: ['Live', 'Blocks are pushed over the WebSocket'],
  polling: ['Polling', 'No WebSocket: the page polls every few seconds'],
  offline: ['Offline', 'The server does not answer'],
}

const STILL = ['No new block', 'The newest block is more than two minutes old: the chain or the node has stopped'] as const

/** How the page hears of new blocks, and how old the newest is. */
export function StatusPill() {
  const connection = useLive((live) => live.connection)
  const time = useLive(({ head }) => head?.last_time)
  // Connected says nothing about a chain that makes no blocks.
  const isStill = useClock((now) => Number(time !== undefined && connection !== 'offline' && isOld(time, now))) === 1
  const [name, explanation] = isStill ? STILL : WORDS[connection]
  return (
    <span class={`pill ${connection} ${isStill ? 'still' : ''}`} title={explanation}>
      <span class="dot" aria-hidden="true" />
      <span role="status">{name}</span>
      {time && <Lag time={time} />}
    </span>
  )
}

function Lag({ time }: { time: string }) {
  const at = Date.parse(time)
  const lag = useClock((now) => formatSpan(Math.max(0, now - at)))
  return <span class="pill-lag number">{lag}</span>
}
