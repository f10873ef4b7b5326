import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { LIST_FIELD, VALUE_FIELD } from './tools.ts'

type Meta = Record<string, unknown>

/** The head an answer was read at, as `X-Indexed-Height` says it over HTTP. */
export const heightMeta = (height: number | string | undefined): Meta =>
  height === undefined ? {} : { 'astrolabe/indexed-height': Number(height) }

/** The JSON of an answer, as text and as an object; an empty one is an empty object, a list or a bare value stands in a field. */
export function foundResult(body: string, meta: Meta): CallToolResult {
  const json: unknown = body === '' ? {} : JSON.parse(body)
  return {
    content: [{ type: 'text', text: body === '' ? 'nothing is known about this' : body.trimEnd() }],
    structuredContent: toObject(json),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  }
}

function toObject(json: unknown): Meta {
  if (Array.isArray(json)) return { [LIST_FIELD]: json }
  return typeof json === 'object' && json !== null ? (json as Meta) : { [VALUE_FIELD]: json }
}

const STATUS = 'astrolabe/status'

/** Status that a failure has over HTTP. */
export const statusMeta = (status: number): Meta => ({ [STATUS]: status })

export const statusOf = ({ _meta }: CallToolResult): number => Number(_meta?.[STATUS] ?? 500)

/** A sentence that a model can act on, and the status that the failure has over HTTP. */
export function failedResult(status: number, sentence: string, retryAfter?: number | string): CallToolResult {
  const wait = retryAfter === undefined ? '' : `; try again in ${retryAfter} seconds`
  return { content: [{ type: 'text', text: sentence + wait }], isError: true, _meta: statusMeta(status) }
}
