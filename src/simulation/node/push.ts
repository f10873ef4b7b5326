import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { RawBlock } from '../../chain/source.ts'
import type { FaultSwitch } from './faults.ts'
import { toForgedBlock } from './forge.ts'

const QUERY = "tm.event='NewBlockHeader'"

/** The node's WebSocket: subscriptions to new headers, nothing else. */
export type HeaderPush = { announce(raw: RawBlock): void; subscriptions(): number; close(): void }

export type PushOptions = {
  faults: FaultSwitch
  /** listeners at a time */
  maxClients: () => number
  onSubscribe: () => void
}

export function servePush(server: Server, { faults, maxClients, onSubscribe }: PushOptions): HeaderPush {
  const sockets = new WebSocketServer({ noServer: true })
  const subscribers = new Map<WebSocket, unknown>()
  const refuse = (client: WebSocket): string | undefined => {
    if (subscribers.has(client)) return 'already subscribed'
    return subscribers.size >= maxClients() ? `max_subscription_clients ${maxClients()} reached` : undefined
  }
  server.on('upgrade', (request, socket, head) => {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/websocket') {
      socket.destroy()
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('close', () => subscribers.delete(client))
      // A peer that breaks the protocol is closed by the library.
      client.on('error', () => {})
      client.on('message', (message) => {
        const request = parseSubscribe(String(message))
        if (!request) return
        onSubscribe()
        const refusal = refuse(client)
        if (refusal) {
          const error = { code: -32603, message: 'Internal error', data: refusal }
          client.send(JSON.stringify({ jsonrpc: '2.0', id: request.id, error }))
          return
        }
        subscribers.set(client, request.id)
        if (!faults.strike('socket-silent', { method: 'subscribe' }))
          client.send(`{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":{}}`)
      })
    })
  })
  return {
    announce(raw) {
      const { header } = toForgedBlock(raw).block.block
      const data = { type: 'tendermint/event/NewBlockHeader', value: { header } }
      for (const [client, id] of subscribers) {
        if (faults.strike('socket-silent', { method: 'subscribe', height: raw.height })) continue
        const events = { 'tm.event': ['NewBlockHeader'] }
        client.send(JSON.stringify({ jsonrpc: '2.0', id, result: { query: QUERY, data, events } }))
      }
    },
    subscriptions: () => subscribers.size,
    close() {
      for (const client of sockets.clients) client.terminate()
    },
  }
}

function parseSubscribe(text: string): { id: unknown } | undefined {
  try {
    const { id, method, params } = JSON.parse(text) as { id?: unknown; method?: unknown; params?: { query?: unknown } }
    return method === 'subscribe' && params?.query === QUERY ? { id } : undefined
  } catch {
    // Not JSON: a node closes or ignores it; ignoring is enough here.
    return undefined
  }
}
