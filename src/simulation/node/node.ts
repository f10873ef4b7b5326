import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RawBlock } from '../../chain/source.ts'
import { OperatorError } from '../../lib/errors.ts'
import { createSeededRandom } from '../../lib/random.ts'
import type { ProveState } from '../state/state-trees.ts'
import { createReplayChain, openReplayChain, type ReplayChain } from './chain.ts'
import { type FaultName, type FaultOptions, FaultSwitch } from './faults.ts'
import { serveHttp } from './http.ts'
import { type HeaderPush, servePush } from './push.ts'

export type ReplayOptions = {
  /** A recording, … */
  dir?: string
  /** … a chain of any other kind, … */
  chain?: ReplayChain
  /** … or blocks with their chain id and genesis document. */
  blocks?: readonly RawBlock[]
  chainId?: string
  genesis?: Uint8Array
  /** Proofs of the state of these blocks. */
  proveState?: ProveState
  port?: number
  host?: string
  /** Height at the start; the last one without it. */
  startHeight?: number
  /** Whether the node says that it has not reached its chain's head yet. */
  isCatchingUp?: () => boolean
  /** A new block this often; without it only on `advance`. */
  intervalMs?: number
  /** Time brings no block whose votes were not recorded, which is the last one: a real node has the votes for its newest block. */
  keepsLastBlock?: boolean
  /** Calls allowed in a batch; 0 is no limit. */
  maxBatchCalls?: number
  /** Clients that may listen for new headers at a time. */
  maxSubscriptionClients?: number
  genesisChunkBytes?: number
  gzip?: boolean
  seed?: number
  faults?: Partial<Record<FaultName, FaultOptions>>
}

/** A consensus node made of recorded or forged blocks. Everything about it can be changed while it runs. */
export type ReplayNode = {
  readonly url: string
  readonly height: number
  readonly faults: FaultSwitch
  /** Calls since the start by method, and `http` for requests of any kind. */
  readonly requests: Map<string, number>
  /** Clients that listen for new headers. */
  subscriptions(): number
  allowSubscriptions(maxClients: number): void
  advance(count?: number): Promise<void>
  /** Moves the head without announcing it. */
  setHeight(height: number): void
  /** `blocks` become the chain from their first height on; the head stays, or drops to their last height. */
  fork(blocks: readonly RawBlock[]): void
  /** Closes the port and every connection; `revive` opens the same port again. */
  die(): Promise<void>
  revive(): Promise<void>
  close(): Promise<void>
}

export async function startReplayNode(options: ReplayOptions): Promise<ReplayNode> {
  const chain = await openChain(options)
  const faults = new FaultSwitch(createSeededRandom(options.seed ?? 1))
  for (const [name, fault] of Object.entries(options.faults ?? {})) faults.set(name as FaultName, fault)
  const host = options.host ?? '127.0.0.1'
  const requests = new Map<string, number>()
  const count = (name: string) => requests.set(name, (requests.get(name) ?? 0) + 1)
  let height = Math.min(options.startHeight ?? chain.last(), chain.last())
  const view = {
    chain,
    faults,
    height: () => height,
    isCatchingUp: options.isCatchingUp ?? (() => false),
    genesisChunkBytes: options.genesisChunkBytes ?? 16 * 1024 * 1024,
    maxBatchCalls: options.maxBatchCalls ?? 10,
    gzip: options.gzip ?? false,
    onRequest(calls: readonly { method: string }[]) {
      count('http')
      for (const call of calls) count(call.method)
    },
  }

  let server: Server | undefined
  let push: HeaderPush | undefined
  let port = options.port ?? 0
  // The default of a node.
  let maxSubscriptionClients = options.maxSubscriptionClients ?? 100

  async function listen(): Promise<void> {
    const opened = createServer((request, response) => {
      serveHttp(view, request, response).catch((error: Error) => response.destroy(error))
    })
    // Peers that vanish are part of the game.
    opened.on('clientError', (_error, socket) => socket.destroy())
    push = servePush(opened, { faults, maxClients: () => maxSubscriptionClients, onSubscribe: () => count('subscribe') })
    await new Promise<void>((resolve, reject) => opened.once('error', reject).listen(port, host, resolve))
    port = (opened.address() as AddressInfo).port
    server = opened
  }

  async function die(): Promise<void> {
    const closing = server
    if (!closing) return
    server = undefined
    push?.close()
    await new Promise<void>((resolve) => {
      closing.close(() => resolve())
      closing.closeAllConnections()
    })
  }

  let advancing = Promise.resolve()

  function advance(blocks = 1, end = Number.POSITIVE_INFINITY): Promise<void> {
    advancing = advancing.then(async () => {
      for (let i = 0; i < blocks; i++) {
        const raw = height < end ? await chain.block(height + 1) : undefined
        if (!raw) return
        height++
        push?.announce(raw)
      }
    })
    return advancing
  }

  await listen()
  const end = () => (options.keepsLastBlock ? chain.last() - 1 : undefined)
  const timer = options.intervalMs ? setInterval(() => void advance(1, end()), options.intervalMs) : undefined
  timer?.unref()

  return {
    get url() {
      return `http://${host}:${port}`
    },
    get height() {
      return height
    },
    faults,
    requests,
    subscriptions: () => push?.subscriptions() ?? 0,
    allowSubscriptions(maxClients) {
      maxSubscriptionClients = maxClients
    },
    advance,
    setHeight(next) {
      height = Math.min(next, chain.last())
    },
    fork(blocks) {
      chain.replaceFrom(blocks)
      height = Math.min(height, chain.last())
    },
    die,
    revive: async () => {
      if (!server) await listen()
    },
    async close() {
      clearInterval(timer)
      await die()
    },
  }
}

async function openChain(options: ReplayOptions): Promise<ReplayChain> {
  if (options.chain) return options.chain
  if (options.dir !== undefined) return openReplayChain(options.dir)
  if (!options.blocks || options.chainId === undefined) {
    throw new OperatorError('bad_replay', 'a replay node needs a recording, or blocks and their chain id')
  }
  return createReplayChain(options.chainId, options.genesis ?? Buffer.from('{}'), options.blocks, options.proveState)
}
