import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { traceNodeCall } from '../../src/observability/spans.ts'
import { Tracer } from '../../src/observability/tracer.ts'
import { waitUntil } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'
import { runCli } from '../support/program.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, string> }[]
}

describe('traces', () => {
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-traces-'))
  const spans: Span[] = []
  let collector: Server
  let url: string
  before(async () => {
    collector = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      assert.equal(request.url, '/v1/traces')
      const body = JSON.parse(Buffer.concat(parts).toString()) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
      for (const { scopeSpans } of body.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
      response.end('{}')
    })
    collector.listen(0, '127.0.0.1')
    await once(collector, 'listening')
    url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  })
  after(async () => {
    collector.closeAllConnections()
    collector.close()
    await rm(folder, { recursive: true, force: true })
  })

  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parentId = '00f067aa0ba902b7'

  test('a request continues the trace of its caller, its queries are parts of it, and no value of the request is in them', async () => {
    const config = join(folder, 'config.json')
    const main = { name: 'main', kind: 'main', recording: packagePath('data/recordings/devnet'), listen: { port: 0 } }
    writeFileSync(config, JSON.stringify({ networks: [main], observability: { port: 0, traces_ratio: 0 } }))
    const env = { DATABASE_URL: await freshDatabase('devnet'), ASTROLABE_DATA: folder, OTEL_EXPORTER_OTLP_ENDPOINT: url }
    const server = runCli(['serve', '--config', config], { env })
    const api = /"address":"([^"]+)","msg":"serving"/.exec(await server.says(/"msg":"serving"/))![1]!
    const address = 'celestia1kuud7zx09r235c32nawmcu0frast2pfrvcw0p6'
    const get = (flags: string) =>
      fetch(`${api}/v1/address/${address}`, { headers: { traceparent: `00-${traceId}-${parentId}-${flags}` } })
    assert.equal((await get('00')).status, 200, 'the caller does not want this one recorded')
    assert.equal((await fetch(`${api}/v1/head`)).status, 200)
    assert.equal((await get('01')).status, 200, 'kept')
    const other = await fetch(`${api}/v1/address/${address}/txs`, { headers: { traceparent: `00-${traceId}-${parentId}-01` } })
    assert.equal(other.status, 200)
    await waitUntil(() => spans.length >= 3)
    server.child.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
    const requests = spans.filter(({ kind }) => kind === 2)
    assert.deepEqual(
      requests.map(({ name, traceId: id, parentSpanId }) => [name, id, parentSpanId]),
      [
        ['GET /v1/address/:hash', traceId, parentId],
        ['GET /v1/address/:hash/txs', traceId, parentId],
      ],
    )
    const queries = spans.filter(({ name }) => name === 'query')
    assert.ok(queries.length > 0)
    for (const query of queries) {
      assert.equal(query.parentSpanId, requests[1]!.spanId)
      assert.ok(BigInt(query.endTimeUnixNano) >= BigInt(query.startTimeUnixNano))
    }
    assert.ok(!JSON.stringify(spans).includes(address.slice(9)))
  })

  test('calls to nodes are traces of their own, and a collector that is away harms nobody', async () => {
    spans.length = 0
    const tracer = new Tracer({ url, ratio: 1, version: '1' })
    traceNodeCall(tracer, { node: 'a:26657', method: 'block', outcome: 'node_timeout', seconds: 0.25 })
    // Found later: there was no call.
    traceNodeCall(tracer, { node: 'a:26657', method: 'block', outcome: 'data_hash' })
    await tracer.stop()
    const [call, ...others] = spans
    assert.deepEqual([call?.name, call?.kind, call?.parentSpanId, others], ['node block', 3, undefined, []])
    assert.equal(BigInt(call!.endTimeUnixNano) - BigInt(call!.startTimeUnixNano), 250_000_000n)
    const errors: unknown[] = []
    const lost = new Tracer({ url: 'http://127.0.0.1:1', ratio: 1, version: '1', onError: (error) => errors.push(error) })
    traceNodeCall(lost, { node: 'a', method: 'status', outcome: 'ok', seconds: 0 })
    await lost.stop()
    assert.equal(errors.length, 1)
  })

  test('what is no trace context begins a new trace', () => {
    const tracer = new Tracer({ url, ratio: 1, version: '1' })
    for (const text of [
      '',
      'x',
      `00-${'0'.repeat(32)}-${parentId}-01`,
      `ff-${traceId}-${parentId}-01`,
      `00-${traceId}-${parentId}`,
    ])
      assert.notEqual(tracer.begin(text)?.traceId, traceId, text)
    assert.equal(tracer.begin(`00-${traceId}-${parentId}-01-more`)?.parentId, parentId)
    return tracer.stop()
  })
})
