import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { flood } from '../support/flood.ts'

/** A tenth of a millionth of a coin. */
export const L1_FEE = '0x174876e800'

type RpcCall = { id: unknown; method: string; params?: unknown[] }

export type RpcProxy = {
  url: string
  /**
   * `up` passes on, `down` breaks every connection, `silent` never answers, `forgetful` has no logs in its receipts, `confused` takes
   * transactions and says it failed, `blind` fails to look for them, `rollup` adds the cost of data on the chain
   * below to its receipts, `limiting` answers 429 and `failing` 500, `flooding` answers without end
   */
  mode: 'up' | 'down' | 'silent' | 'forgetful' | 'confused' | 'blind' | 'rollup' | 'limiting' | 'failing' | 'flooding'
  /** bytes of its endless answers */
  flooded: number
  calls: string[]
  close: () => Promise<void>
}

/** Stands between a server and the chain and behaves as badly as it is told to. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const server = createServer((request, response) => {
    if (proxy.mode === 'down') {
      request.socket.destroy()
      return
    }
    if (proxy.mode === 'silent') return
    if (proxy.mode === 'flooding')
      return flood(response, (bytes) => {
        proxy.flooded += bytes
      })
    if (proxy.mode === 'limiting' || proxy.mode === 'failing') {
      response.writeHead(proxy.mode === 'limiting' ? 429 : 500, { 'content-type': 'application/json' }).end('{}')
      return
    }
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', async () => {
      const call = JSON.parse(text) as RpcCall
      proxy.calls.push(call.method)
      const answer = await fetch(target, { method: 'POST', body: text, headers: { 'content-type': 'application/json' } })
      const body = (await answer.json()) as { result?: { logs?: unknown[]; l1Fee?: string } }
      if (proxy.mode === 'forgetful' && call.method === 'eth_getTransactionReceipt' && body.result) body.result.logs = []
      if (proxy.mode === 'rollup' && call.method === 'eth_getTransactionReceipt' && body.result)
        Object.assign(body.result, { l1Fee: L1_FEE })
      const isDenied =
        (proxy.mode === 'confused' && call.method === 'eth_sendRawTransaction') ||
        (proxy.mode === 'blind' && /^eth_getTransaction(Receipt|ByHash)$/.test(call.method))
      const denied = { jsonrpc: '2.0', id: call.id, error: { code: -32603, message: 'upstream request timed out' } }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(isDenied ? denied : body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'up',
    flooded: 0,
    calls: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}
