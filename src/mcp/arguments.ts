import { type BoundRequest, bindGet } from '../api/http/bind.ts'
import { BadRequest } from '../api/http/errors.ts'
import { isStorable } from '../api/http/storable.ts'
import { fillPath, type Operation } from '../operations/operation.ts'
import { TIMES } from './describe-arguments.ts'

export type Arguments = Record<string, unknown>

/** A tool call as the GET request that asks the same. */
export type ToolRequest = {
  params: Record<string, string>
  /** path and query */
  target: string
  asked: BoundRequest
}

/** Throws BadRequest with a sentence about the argument that is wrong. */
export function readArguments(operation: Operation, given: Arguments): ToolRequest {
  const known = [...Object.keys(operation.params), ...Object.keys(operation.query)]
  const params: Record<string, string> = {}
  const query: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) throw new BadRequest(`${name} is not an argument of ${operation.id}: ${listNames(known)}`, name)
    // Models write null for what they leave out.
    if (value === null || value === undefined) continue
    const text = toText(name, value)
    if (name in operation.params) params[name] = text
    else query[name] = text
  }
  const missing = Object.keys(operation.params).find((name) => params[name] === undefined)
  if (missing !== undefined) throw new BadRequest(`${missing} is required`, missing)
  const search = new URLSearchParams(query).toString()
  const path = fillPath(operation.path, params)
  const target = search === '' ? path : `${path}?${search}`
  return { params, target, asked: bindGet(operation, target, params) }
}

const listNames = (names: string[]) => (names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`)

function toText(name: string, value: unknown): string {
  // Lists are texts with commas; models write them as lists.
  if (Array.isArray(value)) return value.map((item) => toText(name, item)).join(',')
  // As part of an address, half a surrogate pair would become another text.
  if (typeof value === 'string' && !isStorable(value)) throw new BadRequest(`${name} is not valid text`, name)
  if (typeof value === 'string' && TIMES.has(name)) return toSeconds(name, value)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new BadRequest(`${name} must be a text, a number, true or false`, name)
}

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Unix seconds of an ISO date or time, which is UTC unless it says otherwise. */
function toSeconds(name: string, text: string): string {
  if (/^\d+$/.test(text) || text === '') return text
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/.test(text) || !text.includes('T')
  const ms = ISO.test(text) ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN
  if (Number.isNaN(ms)) throw new BadRequest(`${name} must be unix seconds or an ISO date or time`, name)
  return String(Math.floor(ms / 1000))
}
