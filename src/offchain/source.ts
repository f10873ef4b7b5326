import { open } from 'node:fs/promises'
import type { SourceConfig } from '../config/offchain-schema.ts'
import { Transient } from '../lib/errors.ts'
import { boundFetch } from '../lib/read-bounded.ts'

export type SourceRequest = {
  /** appended to the configured address */
  path?: string
  query?: Record<string, string>
  /** sent as JSON with POST */
  body?: unknown
}

/** The JSON of a source: bounded in time and size, whatever the other side does. */
export async function readSource(config: SourceConfig, request: SourceRequest, signal: AbortSignal): Promise<unknown> {
  const text =
    config.file !== undefined ? await readFileText(config.file, config.max_bytes) : await fetchText(config, request, signal)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Transient('source_not_json', 'the source gave something that is not JSON', {}, error)
  }
}

export const isConfigured = ({ enabled, file, url }: SourceConfig): boolean =>
  enabled && (file !== undefined || url !== undefined)

async function readFileText(path: string, maxBytes: number): Promise<string> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new Transient('source_unreadable', `cannot read ${path}: ${error.code}`, {}, error)
  })
  try {
    if ((await file.stat()).size > maxBytes) throw new Transient('source_too_large', `${path} is larger than ${maxBytes} bytes`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

async function fetchText(
  config: SourceConfig,
  { path = '', query = {}, body }: SourceRequest,
  signal: AbortSignal,
): Promise<string> {
  const url = new URL(config.url!.replace(/\/$/, '') + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const controller = new AbortController()
  const stop = () => controller.abort()
  // The time is for the whole answer: a body that trickles in counts as no answer.
  const timer = setTimeout(stop, config.timeout_ms)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const response = await boundFetch(config.max_bytes)(url, {
      signal: controller.signal,
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (response.status === 204) return 'null'
    if (!response.ok) throw new Transient('source_status', `the source answered ${response.status}`, { status: response.status })
    return await response.text()
  } catch (error) {
    if (error instanceof Transient) throw error
    const reason = controller.signal.aborted && !signal.aborted ? `no answer within ${config.timeout_ms} ms` : 'no connection'
    throw new Transient('source_unreachable', `the source gave no answer: ${reason}`, {}, error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    controller.abort()
  }
}
