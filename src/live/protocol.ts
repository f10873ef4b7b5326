import { readAddress, readNamespace } from '../api/http/read-text.ts'
import { writeJson } from '../api/http/write-json.ts'

/** The first three are the contract's (docs/rules.md R47); the others are additions that nobody gets without asking. */
export const CHANNELS = ['head', 'blocks', 'gas_price', 'txs', 'blobs'] as const
export type Channel = (typeof CHANNELS)[number]

/** Channels where every height counts, as against those where only the newest value does. */
export const HEIGHT_CHANNELS = ['blocks', 'txs', 'blobs'] as const
export type HeightChannel = (typeof HEIGHT_CHANNELS)[number]

export function isHeightChannel(channel: Channel): channel is HeightChannel {
  return (HEIGHT_CHANNELS as readonly string[]).includes(channel)
}

/** Values of one kind are alternatives, kinds are combined. Addresses and namespaces as lower-case hex. */
export type Filters = {
  fromHeight?: number
  namespaces?: string[]
  signers?: string[]
  addresses?: string[]
}

export type Subscribe = { method: 'subscribe' | 'unsubscribe'; channel: Channel; filters: Filters; ack: boolean }
/** For clients that cannot set headers, as in browsers: the first message of a connection. */
export type Authorize = { method: 'authorize'; key: string }
export type ClientRequest = Subscribe | Authorize

/** 1 to 3 are the contract's; 4 names what is wrong with the filters of a subscription, 5 what is wrong with a key. */
export class Refusal {
  readonly code: 1 | 2 | 3 | 4 | 5
  readonly message: string
  /** the filter that is wrong */
  readonly filter: string | undefined
  constructor(code: 1 | 2 | 3 | 4 | 5, message: string, filter?: string) {
    this.code = code
    this.message = message
    this.filter = filter
  }
}

const INVALID = new Refusal(1, 'invalid message')

export function parseRequest(text: string, limits: { filterValues: number }): ClientRequest | Refusal {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return INVALID
  }
  if (!isObject(value)) return INVALID
  const { method, body } = value
  if (method === 'authorize') return isObject(body) && typeof body.apikey === 'string' ? { method, key: body.apikey } : INVALID
  if (method !== 'subscribe' && method !== 'unsubscribe') return new Refusal(2, 'unknown method')
  if (!isObject(body)) return INVALID
  const channel = CHANNELS.find((name) => name === body.channel)
  if (!channel) return new Refusal(3, 'unknown channel')
  // The contract ignores filters, so what is no object is no reason to refuse.
  const given = isObject(body.filters) ? body.filters : {}
  const filters = method === 'subscribe' ? parseFilters(channel, given, limits) : {}
  return filters instanceof Refusal ? filters : { method, channel, filters, ack: given.ack === true }
}

/** Filters as a client gives them, in a message or as query parameters of an event stream. */
export function parseFilters(
  channel: Channel,
  given: Record<string, unknown>,
  { filterValues }: { filterValues: number },
): Filters | Refusal {
  if (!isHeightChannel(channel)) return {}
  const filters: Filters = {}
  if (given.from_height !== undefined && given.from_height !== null) {
    const height = given.from_height
    if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < 0)
      return new Refusal(4, 'from_height must be a height', 'from_height')
    filters.fromHeight = height
  }
  if (channel === 'blocks') return filters
  const readers = [
    ['namespace', 'namespaces', readNamespaceKey],
    ['signer', 'signers', readAddressKey],
    ['address', 'addresses', readAddressKey],
  ] as const
  for (const [name, target, read] of readers) {
    if (given[name] === undefined || given[name] === null) continue
    const texts = toTexts(given[name])
    const values = texts?.map(read)
    if (!values || values.length === 0 || values.length > filterValues || values.includes(undefined))
      return new Refusal(4, `${name} must be one to ${filterValues} ${name === 'namespace' ? 'namespaces' : 'addresses'}`, name)
    filters[target] = [...new Set(values as string[])].sort()
  }
  return filters
}

/** Subscriptions with the same key get the same messages. */
export function keyOfFilters({ namespaces = [], signers = [], addresses = [] }: Filters): string {
  return [namespaces, signers, addresses].map((values) => values.join(',')).join(';')
}

export function writeNotification(channel: string, body: unknown): string {
  return writeJson({ channel, body })
}

export function writeRefusal({ code, message }: Refusal): string {
  return writeNotification('error', { code, message })
}

/** Sent only to those who asked for it. `next_height`: the first height that will come, on channels of heights. */
export function writeAck(request: Subscribe, nextHeight: number | undefined): string {
  const { method, channel } = request
  return writeNotification('ack', { method, channel, ...(nextHeight !== undefined && { next_height: nextHeight }) })
}

function readNamespaceKey(text: string): string | undefined {
  const namespace = readNamespace(text)
  return namespace && Buffer.from([namespace.version, ...namespace.id]).toString('hex')
}

function readAddressKey(text: string): string | undefined {
  return readAddress(text)?.toString('hex')
}

/** One text with commas, as in a query, or a list of texts. */
function toTexts(value: unknown): string[] | undefined {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : undefined
  return list?.every((entry) => typeof entry === 'string') ? (list as string[]) : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
