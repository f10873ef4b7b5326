import type { Block, GasPrice, State } from './gen/operations.ts'

/** Message of the WebSocket; bodies equal the objects of the REST surface. */
export type Notice =
  | { channel: 'head'; body: State }
  | { channel: 'blocks'; body: Block }
  | { channel: 'gas_price'; body: GasPrice }
  | { channel: 'error'; body: { code: number; message: string } }

export type LiveChannel = 'head' | 'blocks' | 'gas_price'

/** `waiting`: the connection is lost and will be tried again. */
export type LiveState = 'connecting' | 'open' | 'waiting' | 'closed'

/** Part of a WebSocket that browsers and the `ws` package share. */
type Socket = {
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  send(text: string): void
  close(): void
}

export type LiveOptions = {
  /** `ws://…/v1/ws` */
  url: string
  channels: readonly LiveChannel[]
  /** key of a plan; sent as the first message, as browsers cannot set headers here */
  apiKey?: string
  onNotice: (notice: Notice) => void
  onState?: (state: LiveState) => void
  /** needed where there is no global one, as in Node 20 */
  WebSocket?: new (
    url: string,
  ) => Socket
  random?: () => number
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

/** Keeps one connection open until closed: a lost one is reopened with back-off. */
export function openLive({
  url,
  channels,
  apiKey,
  onNotice,
  onState = () => {},
  random = Math.random,
  ...options
}: LiveOptions): {
  close: () => void
} {
  const WebSocketClass = options.WebSocket ?? (globalThis as { WebSocket?: LiveOptions['WebSocket'] }).WebSocket
  if (!WebSocketClass) throw new Error('there is no WebSocket here: pass one in the options')
  let socket: Socket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isClosed = false

  const connect = () => {
    onState('connecting')
    const opened = new WebSocketClass(url)
    socket = opened
    opened.onopen = () => {
      failures = 0
      if (apiKey !== undefined) opened.send(JSON.stringify({ method: 'authorize', body: { apikey: apiKey } }))
      for (const channel of channels) opened.send(JSON.stringify({ method: 'subscribe', body: { channel } }))
      onState('open')
    }
    opened.onmessage = ({ data }: { data: unknown }) => {
      const notice = readNotice(String(data))
      if (notice) onNotice(notice)
    }
    // Every error is followed by a close.
    opened.onerror = () => {}
    opened.onclose = () => {
      if (isClosed) return
      onState('waiting')
      // Half of the wait is chance, so that a restart of the server does not bring everyone back at once.
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++)
      timer = setTimeout(connect, wait * (0.5 + random() / 2))
    }
  }
  connect()
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
      socket?.close()
      onState('closed')
    },
  }
}

/** Undefined for what is not a notice: an older or newer server may send more. */
function readNotice(text: string): Notice | undefined {
  try {
    const value = JSON.parse(text) as Notice
    return typeof value?.channel === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
