import type { TObject, TSchema } from 'typebox'
import type { Client } from '../../lib/turn-queue.ts'
import type { RowForm } from './accept.ts'
import { BadRequest } from './errors.ts'
import { nearestName } from './nearest-name.ts'
import { parseQuery, type QueryText, UNREADABLE } from './query-string.ts'
import {
  readAccount,
  readAddress,
  readBoolean,
  readBytes,
  readCommitment,
  readHex,
  readInteger,
  readNamespace,
  readNamespaceOrId,
  readSeconds,
  readTxName,
} from './read-text.ts'
import { isStorable } from './storable.ts'

/** The parts of JSON schema that inputs use; `clamp`, `takesNoZero`, `takesTimes` and the formats are ours (schema/query.ts). */
type InputSchema = {
  type?: string
  format?: string
  enum?: (string | number)[]
  items?: InputSchema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  clamp?: number
  takesNoZero?: boolean
  takesTimes?: boolean
  default?: unknown
}

/** Reads one text or throws a BadRequest that names the parameter. */
type Read = (text: string) => unknown

type Field = { name: string; key: string; required: boolean; schema: InputSchema; read: Read; default: unknown }

export type Bound = {
  values: Record<string, unknown>
  /** the given texts that are not the default, escaped: for cache keys and links */
  key: string
  /** names in a query that mean nothing here */
  unknown?: string[] | undefined
}

export type BoundRequest = {
  query: Bound
  params: Bound
  body: Bound
  pretty: boolean
  /** how the rows of a list are written; undefined is JSON */
  form: RowForm | undefined
  /** path and query as given */
  url: string
  client?: Client | undefined
}

export type Binders = {
  bindQuery: (query: Map<string, QueryText>) => Bound
  bindParams: (params: Record<string, string>) => Bound
}

const NO_BODY: Bound = { values: {}, key: '' }

/** Binds a GET request; `url` is its path and query. */
export function bindGet({ bindQuery, bindParams }: Binders, url: string, params: Record<string, string>): BoundRequest {
  const mark = url.indexOf('?')
  const query = parseQuery(mark < 0 ? '' : url.slice(mark + 1))
  return {
    url,
    pretty: query.has('pretty'),
    form: undefined,
    query: bindQuery(query),
    params: bindParams(params),
    body: NO_BODY,
    client: undefined,
  }
}

/** Compiles the binder of a query string by the rules R1 to R3 of docs/rules.md. */
export function compileQuery(schema: TObject | undefined): Binders['bindQuery'] {
  const fields = fieldsOf(schema)
  const known = new Set([...fields.map((field) => field.key), ...EVERYWHERE_KNOWN])
  return (query) => {
    const values: Record<string, unknown> = {}
    let key = ''
    const unknown = query.size === 0 ? NO_NAMES : refuseMisspelt(known, query)
    for (const field of fields) {
      const text = query.size === 0 ? undefined : query.get(field.key)
      const value = text === undefined ? undefined : readGiven(field, text)
      if (value === undefined) {
        if (field.default !== undefined) values[field.name] = field.default
        else if (field.required) throw new BadRequest(`${field.name} is required`, field.name)
      } else {
        values[field.name] = value
        if (value !== field.default) key += `&${field.name}=${encodeURIComponent(text as string)}`
      }
    }
    return { values, key, unknown: unknown.length > 0 ? unknown : undefined }
  }
}

const NO_NAMES: string[] = []

/** Known to every route, whatever it declares. */
const EVERYWHERE_KNOWN = ['pretty']

/** Names that are not known. One that is nearly a known name is a mistake that would change the answer unseen (docs/rules.md R1). */
function refuseMisspelt(known: ReadonlySet<string>, query: Map<string, QueryText>): string[] {
  const unknown: string[] = []
  for (const name of query.keys()) {
    if (known.has(name)) continue
    const meant = nearestName(name, known)
    if (meant !== undefined && !query.has(meant)) throw new BadRequest(`unknown parameter ${name}: did you mean ${meant}?`, name)
    unknown.push(name)
  }
  return unknown
}

/** Undefined when an empty or zero text means "not given". */
function readGiven(field: Field, text: QueryText): unknown {
  if (text === UNREADABLE) throw unreadable(field.name)
  if (text === '') {
    if (field.schema.type === 'boolean') return false
    if (field.schema.type !== 'array') return undefined
  }
  const value = field.read(text)
  // `limit=0` means "not given", and so does 0 wherever 0 is no value.
  if (value !== 0 || (field.schema.minimum ?? 0) <= 0) return value
  if (field.schema.takesNoZero) checkRange(value, field.schema, field.name)
  return undefined
}

/** Compiles the binder of path parameters, which are always there. */
export function compileParams(schema: TObject | undefined): Binders['bindParams'] {
  const fields = fieldsOf(schema)
  return (params) => {
    const values: Record<string, unknown> = {}
    let key = ''
    for (const field of fields) {
      const text = params[field.name] ?? ''
      if (!isStorable(text)) throw unreadable(field.name)
      const value = field.read(text)
      if (typeof value === 'number') checkRange(value, field.schema, field.name)
      values[field.name] = value
      key += `/${encodeURIComponent(text)}`
    }
    return { values, key }
  }
}

/** Compiles the binder of a JSON body: keys match case-blind, extra keys are ignored, types must fit. */
export function compileBody(schema: TObject | undefined): (body: unknown) => Bound {
  const fields = fieldsOf(schema)
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new BadRequest('a JSON object is expected', 'body')
    const given = new Map<string, unknown>()
    for (const [name, value] of Object.entries(body)) if (!given.has(name.toLowerCase())) given.set(name.toLowerCase(), value)
    const values: Record<string, unknown> = {}
    for (const field of fields) {
      const value = readJson(field, given.get(field.key))
      if (value !== undefined) values[field.name] = value
      else if (field.required) throw new BadRequest(`${field.name} is required`, field.name)
    }
    return { values, key: JSON.stringify(fields.map(({ key }) => given.get(key) ?? null)) }
  }
}

function readJson(field: Field, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return field.default
  if (field.schema.type === 'integer' && !(field.schema.takesTimes && typeof value === 'string')) {
    if (typeof value !== 'number' || !Number.isInteger(value))
      throw new BadRequest(`${field.name} must be an integer`, field.name)
    checkRange(value, field.schema, field.name)
    return clamp(value, field.schema)
  }
  if (typeof value !== 'string') throw new BadRequest(`${field.name} must be a string`, field.name)
  return field.read(value)
}

function fieldsOf(schema: TObject | undefined): Field[] {
  const required = new Set(schema?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const input = property as TSchema & InputSchema
    return {
      name,
      key: name.toLowerCase(),
      schema: input,
      required: required.has(name),
      read: compileRead(name, input),
      default: input.default,
    }
  })
}

function compileRead(name: string, schema: InputSchema): Read {
  if (schema.enum) return readEnum(name, schema.enum)
  switch (schema.type) {
    case 'integer':
      return (text) => {
        const value = schema.takesTimes ? readSeconds(text) : readInteger(text)
        if (value === undefined)
          refuse(
            name,
            schema.takesTimes ? 'must be unix seconds, or a date or time as in ISO 8601, in whole seconds' : 'must be an integer',
          )
        // 0 is judged by who knows whether it means "not given".
        if (value !== 0) checkRange(value, schema, name)
        return clamp(value, schema)
      }
    case 'boolean':
      return (text) => readBoolean(text) ?? refuse(name, 'must be true or false')
    case 'array':
      return readList(name, schema)
    default:
      return readString(name, schema)
  }
}

function readString(name: string, schema: InputSchema): Read {
  switch (schema.format) {
    case 'bech32':
      return (text) => readAddress(text) ?? refuse(name, 'must be an address with prefix celestia or celestiavaloper')
    case 'account':
      return (text) => readAccount(text) ?? refuse(name, 'must be an address in bech32 or hex')
    case 'tx-hash':
      return (text) => readBytes(text, 32) ?? refuse(name, 'must be a hash of 64 hex characters')
    case 'tx-name':
      return (text) => readTxName(text) ?? refuse(name, 'must be a hash of 64 hex characters or the id of a transaction')
    case 'hex':
      return (text) => readHex(text) ?? refuse(name, 'must be hex')
    case 'namespace-id':
      return (text) => readBytes(text, 28) ?? refuse(name, 'must be a namespace id of 56 hex characters')
    case 'namespace':
      return (text) => readNamespace(text) ?? refuse(name, 'must be a namespace of 29 bytes in base64')
    case 'namespace-or-id':
      return (text) => readNamespaceOrId(text) ?? refuse(name, 'must be a namespace id of 56 or 58 hex characters')
    case 'commitment':
      return (text) => readCommitment(text) ?? refuse(name, 'must be base64')
  }
  const { minLength = 0, maxLength = 8192 } = schema
  return (text) =>
    text.length >= minLength && text.length <= maxLength
      ? text
      : refuse(name, `must have ${minLength} to ${maxLength} characters`)
}

function readEnum(name: string, words: (string | number)[]): Read {
  const byText = new Map(words.map((word) => [String(word), word]))
  const message = words.length > 12 ? 'is not a known value' : `must be one of ${words.join(', ')}`
  return (text) => byText.get(text) ?? refuse(name, message)
}

function readList(name: string, schema: InputSchema): Read {
  const readItem = compileRead(name, schema.items ?? {})
  const items = schema.items ?? {}
  const most = schema.maxItems ?? 50
  // Free words have nothing to fail at: an empty one is the empty text, which rows may hold too.
  const takesEmpty = items.type === 'string' && items.format === undefined && items.enum === undefined
  return (text) => {
    const parts = text.split(',')
    if (parts.length > most) refuse(name, `has more than ${most} items`)
    return parts.map((part) => {
      if (part === '' && !takesEmpty) refuse(name, 'has an empty item')
      const value = readItem(part)
      if (typeof value === 'number') checkRange(value, items, name)
      return value
    })
  }
}

function checkRange(value: number, { minimum, maximum }: InputSchema, name: string): void {
  if (minimum !== undefined && value < minimum) refuse(name, `must be ${minimum} or more`)
  if (maximum !== undefined && value > maximum) refuse(name, `must be ${maximum} or less`)
}

function clamp(value: number, schema: InputSchema): number {
  return schema.clamp !== undefined && value > schema.clamp ? schema.clamp : value
}

function refuse(name: string, message: string): never {
  throw new BadRequest(`${name} ${message}`, name)
}

function unreadable(name: string): BadRequest {
  return new BadRequest(`${name} is not valid text`, name)
}
