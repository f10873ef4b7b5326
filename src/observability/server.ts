import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'

export type CheckResult = { ok: boolean } & Record<string, unknown>

/** One thing that must hold for a process to be of use. */
export type ReadyCheck = { name: string; run: () => Promise<CheckResult> }

export type ObservabilityOptions = {
  registry: Pick<Registry, 'contentType' | 'metrics'>
  /** run for every `/readyz` */
  checks: () => readonly ReadyCheck[]
  /** run before every `/metrics`: gauges that are read from elsewhere */
  beforeMetrics?: () => Promise<void>
  checkMs?: number
}

/** `/livez`, `/readyz`, `/metrics`: for the machine room, not for the public. The caller listens and closes. */
export function createObservabilityServer(options: ObservabilityOptions): Server {
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => send(response, 500, 'text/plain', 'failed\n'))
  })
  server.requestTimeout = 10_000
  server.headersTimeout = 5000
  return server
}

async function answer(request: IncomingMessage, response: ServerResponse, options: ObservabilityOptions): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    return send(response, 405, 'text/plain', 'method not allowed\n')
  }
  switch (request.url?.split('?', 1)[0]) {
    case '/livez':
      // That this runs is the answer: nothing else is asked.
      return send(response, 200, 'text/plain', 'ok\n')
    case '/readyz': {
      const { isReady, checks } = await runChecks(options.checks(), options.checkMs ?? 1000)
      const failed = Object.keys(checks).filter((name) => !checks[name]!.ok)
      const body = isReady ? { status: 'ready', checks } : { status: 'not_ready', failed, checks }
      return send(response, isReady ? 200 : 503, 'application/json', `${JSON.stringify(body)}\n`)
    }
    case '/metrics':
      // Metrics of a process whose database is away are worth having all the same.
      await options.beforeMetrics?.().catch(() => {})
      return send(response, 200, options.registry.contentType, await options.registry.metrics())
    default:
      return send(response, 404, 'text/plain', 'not found\n')
  }
}

/** Degraded is a status and not only a text: one check that fails makes the whole not ready. */
export async function runChecks(
  checks: readonly ReadyCheck[],
  ms: number,
): Promise<{ isReady: boolean; checks: Record<string, CheckResult> }> {
  const results = await Promise.all(checks.map(async ({ name, run }) => [name, await inTime(run, ms)] as const))
  return { isReady: results.every(([, { ok }]) => ok), checks: Object.fromEntries(results) }
}

async function inTime(run: () => Promise<CheckResult>, ms: number): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, reason: `no answer within ${ms} ms` }), ms)
  })
  try {
    return await Promise.race([run().catch((error: Error) => ({ ok: false, reason: nameError(error) })), late])
  } finally {
    clearTimeout(timer)
  }
}

/** The libraries below give a code, a sentence, or both. */
function nameError(error: Error & { code?: unknown }): string {
  const code = typeof error.code === 'string' && !error.message.includes(error.code) ? ` (${error.code})` : ''
  return `${error.message || error.name}${code}`
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}
