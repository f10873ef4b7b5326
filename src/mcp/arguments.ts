import { type BoundRequest, bindGet } from '../api/http/bind.ts'
import { BadRequest } from '../api/http/errors.ts'
import { isStorable } from '../api/http/storable.ts'
import { type ForSale, fillPath } from '../operations/operation.ts'

export type Arguments = Record<string, unknown>

/** A tool call as the request that asks the same. */
export type ToolRequest = {
  params: Record<string, string>
  /** path and query */
  target: string
  headers: Record<string, string>
  asked: BoundRequest
}

/** Throws BadRequest with a sentence about the argument that is wrong. */
export function readArguments(operation: ForSale, given: Arguments): ToolRequest {
  const inHeaders = operation.headers ?? {}
  const known = [operation.params, operation.query, inHeaders].flatMap((inputs) => Object.keys(inputs))
  const params: Record<string, string> = {}
  const query: Record<string, string> = {}
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) throw new BadRequest(`${name} is not an argument of ${operation.id}: ${listNames(known)}`, name)
    // Models write null for what they leave out.
    if (value === null || value === undefined) continue
    const text = toText(name, value)
    if (name in operation.params) params[name] = text
    else if (name in inHeaders) headers[name] = text
    else query[name] = text
  }
  const missing = Object.keys(operation.params).find((name) => params[name] === undefined)
  if (missing !== undefined) throw new BadRequest(`${missing} is required`, missing)
  const search = new URLSearchParams(query).toString()
  const path = fillPath(operation.path, params)
  const target = search === '' ? path : `${path}?${search}`
  return { params, target, headers, asked: bindGet(operation, target, params) }
}

const listNames = (names: string[]) => (names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`)

function toText(name: string, value: unknown): string {
  // Lists are texts with commas; models write them as lists.
  if (Array.isArray(value)) return value.map((item) => toText(name, item)).join(',')
  // As part of an address, half a surrogate pair would become another text.
  if (typeof value === 'string' && !isStorable(value)) throw new BadRequest(`${name} is not valid text`, name)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new BadRequest(`${name} must be a text, a number, true or false`, name)
}
