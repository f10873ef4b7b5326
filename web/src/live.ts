import type { Block, GasPrice, State } from '../../src/client/gen/operations.ts'
import { openLive } from '../../src/client/live.ts'
import { api } from './api.ts'
import { hasGap, KEPT_BLOCKS, withBlock, withList } from './figures/recent-blocks.ts'
import { createStore, useStore } from './store.ts'

/** `live`: blocks are pushed. `polling`: they are asked for. `offline`: the server does not answer. */
export type Connection = 'connecting' | 'live' | 'polling' | 'offline'

export type Live = {
  connection: Connection
  head: State | undefined
  /** the server said that it has no block */
  isEmpty: boolean
  /** blocks that the server is behind its node, when it says so */
  lagBlocks: number | undefined
  /** up to it all txs are those that the headers seal */
  verifiedHeight: number | undefined
  /** the state after it was last compared with proofs */
  provenHeight: number | undefined
  gas: GasPrice | undefined
  /** newest first, with statistics */
  blocks: Block[]
}

const POLL_MS = 3000
/** A connection that says nothing for so long is checked by asking. */
const QUIET_MS = 15_000
/** The distance to the node is not pushed: it is asked for, also while blocks arrive. */
const LAG_MS = 10_000

const live = createStore<Live>({
  connection: 'connecting',
  head: undefined,
  isEmpty: false,
  lagBlocks: undefined,
  verifiedHeight: undefined,
  provenHeight: undefined,
  gas: undefined,
  blocks: [],
})

export const useLive = <S>(select: (value: Live) => S): S => useStore(live, select)

/** The server answers, and has no block yet. */
export const useIsEmpty = (): boolean =>
  useLive(({ connection, head, isEmpty }) => isEmpty && head === undefined && connection !== 'offline')

/** The newest block is so old that the chain, or the node, has stopped. */
export const OLD_MS = 120_000

export const isOld = (time: string, now: number): boolean => now - Date.parse(time) > OLD_MS

const update = (part: Partial<Live>) => live.set({ ...live.get(), ...part })

let isPushed = false
let heardAt = 0
let askedAt = 0

/** Starts to follow the chain; called once. */
export function followChain(): void {
  if ('WebSocket' in globalThis) listen()
  void refresh()
  setInterval(() => {
    if (document.hidden) return
    const now = Date.now()
    const { connection, blocks } = live.get()
    if (!isPushed || connection === 'offline' || now - heardAt > QUIET_MS || hasGap(blocks)) void refresh()
    else if (now - askedAt > LAG_MS) void refreshLag()
  }, POLL_MS)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void refresh()
  })
}

function listen(): void {
  const url = new URL('/v1/ws', location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  openLive({
    url: url.href,
    channels: ['head', 'blocks', 'gas_price'],
    onState: (state) => {
      isPushed = state === 'open'
      if (isPushed) {
        update({ connection: 'live' })
        // Blocks that came while there was no connection are not pushed again.
        void refresh()
      } else if (live.get().connection === 'live') update({ connection: 'polling' })
    },
    onNotice: (notice) => {
      heardAt = Date.now()
      if (notice.channel === 'head') update({ head: notice.body })
      else if (notice.channel === 'blocks') addBlock(notice.body)
      else if (notice.channel === 'gas_price') update({ gas: notice.body })
    },
  })
}

let running: Promise<void> | undefined

/** Asks for the head, and for what is new under it. */
function refresh(): Promise<void> {
  heardAt = Date.now()
  askedAt = heardAt
  return (running ??= readHead().finally(() => {
    running = undefined
  }))
}

async function refreshLag(): Promise<void> {
  askedAt = Date.now()
  try {
    const { head: _, ...facts } = await askHead()
    update(facts)
  } catch {
    void refresh()
  }
}

type HeadFacts = Pick<Live, 'lagBlocks' | 'verifiedHeight' | 'provenHeight'>

async function askHead(): Promise<HeadFacts & { head: State | undefined }> {
  let told = new Headers()
  const head = await api.getHead(
    {},
    {
      onResponse: ({ headers }) => {
        told = headers
      },
    },
  )
  const read = (name: string) => (told.has(name) ? Number(told.get(name)) : undefined)
  return {
    head,
    lagBlocks: read('x-lag-blocks'),
    verifiedHeight: read('x-verified-height'),
    provenHeight: read('x-proven-height'),
  }
}

async function readHead(): Promise<void> {
  try {
    const { head, ...facts } = await askHead()
    const known = live.get()
    update({ head, ...facts, isEmpty: head === undefined, connection: isPushed ? 'live' : 'polling' })
    if (!head || (known.blocks[0]?.height === head.last_height && known.gas && !hasGap(known.blocks))) return
    const [blocks, gas] = await Promise.all([
      api.listBlocks({ limit: KEPT_BLOCKS, sort: 'desc', stats: true }),
      api.getGasPrice(),
    ])
    update({ blocks: withList(live.get().blocks, blocks), gas })
  } catch {
    update({ connection: 'offline' })
  }
}

function addBlock(block: Block): void {
  update({ blocks: withBlock(live.get().blocks, block) })
  if (hasGap(live.get().blocks)) void refresh()
}
