import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { describeField } from '../types/dictionary/dictionary.ts'
import type { Route } from './collect-routes.ts'
import { ROW_FORMS } from './http/accept.ts'
import { writeJson } from './http/write-json.ts'
import { meaningOf } from './input-meanings.ts'
import { listFormsOf } from './lists/forms.ts'
import { withNumberFormat } from './number-format.ts'
import { Maybe, Model } from './schema/values.ts'
import { TAGS } from './tags.ts'

type Json = Record<string, unknown>

export type ApiInfo = { title: string; version: string; description?: string }

export const ErrorBody = Model('Error', {
  message: Type.String({ description: 'for a person' }),
  code: Type.String({ description: 'stable, snake_case' }),
  param: Maybe(Type.String({ description: 'the parameter that is wrong' })),
  request_id: Type.String(),
})

const FAILURES: Record<string, string> = {
  400: 'invalid input; the body names the parameter',
  429: 'rate limit of the plan exceeded',
  500: 'a defect of ours',
  503: 'not now: try again after Retry-After',
}

/** Of what depends on the state of the chain. */
const NO_STATE = { 409: '`no_state`: this index began at a height without the state of the chain, and the answer depends on it' }

/** Of what shows old txs and messages. */
const DETACHED = { 410: '`detached`: the operator took the txs and messages of this height out of the index' }

/** A path that is served beside the routes: described by a schema as they are, or in words where no schema can. */
export type ForeignPath =
  | (Pick<Route, 'path' | 'schema'> & { method: Route['method'] | 'PATCH' | 'DELETE' })
  | { path: string; operation: Json; responses: Record<string, string> }

/** The description of a surface, made from the schemas its routes are bound and checked by. `examples`: answers by operation id. */
export function describeApi(
  routes: readonly Route[],
  info: ApiInfo,
  others: readonly ForeignPath[] = [],
  examples: Json = {},
): Json {
  const components: Record<string, Json> = {}
  const paths: Record<string, Json> = {}
  for (const route of [...routes, ...others]) {
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      ...('schema' in route
        ? { [route.method.toLowerCase()]: describeRoute(route, components, examples[route.schema.operationId]) }
        : { get: { ...route.operation, responses: describeStatuses(route.responses) } }),
    }
  }
  const tags = [...new Set([...routes, ...others].flatMap(tagsOf))].map((name) => ({ name, description: TAGS[name] }))
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags,
    // A key is optional: `{}` is the free plan.
    security: [{}, ...Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }))],
    paths,
    components: { schemas: components, securitySchemes: SECURITY_SCHEMES },
  }
}

/** Two ways to send the same key. */
const SECURITY_SCHEMES = {
  apikey: {
    type: 'apiKey',
    in: 'header',
    name: 'apikey',
    description: 'a key of this service, `astro_…`; without one the free plan holds',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'the same key as a bearer token' },
} as const

const tagsOf = (path: ForeignPath) => ('schema' in path ? path.schema.tags : (path.operation.tags as string[]))

function describeStatuses(responses: Record<string, string>): Json {
  return Object.fromEntries(Object.entries(responses).map(([status, description]) => [status, { description }]))
}

type Described = { schema: Route['schema']; method: string; needsState?: boolean; mayBeDetached?: boolean }

function describeRoute(
  { schema, method, needsState = false, mayBeDetached = false }: Described,
  components: Record<string, Json>,
  example: unknown,
): Json {
  const failure = toSchema(ErrorBody, components)
  const failures = Object.entries({ ...FAILURES, ...(needsState && NO_STATE), ...(mayBeDetached && DETACHED) }).map(
    ([status, description]) => [status, { description, content: { 'application/json': { schema: failure } } }],
  )
  const { 200: answer, 204: nothing } = schema.response
  const isStream = (answer as { format?: string }).format === 'event-stream'
  const noun = schema.tags[0]!
  const isList = method === 'GET' && listFormsOf(schema) !== undefined
  return {
    operationId: schema.operationId,
    summary: schema.summary,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    tags: schema.tags,
    parameters: [...describeInputs('path', schema.params, noun), ...describeInputs('query', schema.querystring, noun)],
    ...(schema.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: toSchema(schema.body, components) } } } }
      : {}),
    responses: {
      200: {
        description: 'found',
        content: { ...contentOf(answer, toSchema(answer, components), example), ...(isList ? ROW_CONTENT : {}) },
      },
      ...(nothing ? { 204: { description: 'nothing found' } } : {}),
      ...(method === 'GET' && !isStream ? { 304: { description: 'the copy named by If-None-Match is still right' } } : {}),
      ...Object.fromEntries(failures),
      default: {
        description: 'refused: 401, 403 or 404 where a key is needed; by the transport 405, 413, 414, 431',
        content: { 'application/json': { schema: failure } },
      },
    },
  }
}

/** Rows in the forms that `Accept` can ask for. */
const ROW_CONTENT: Json = {
  [ROW_FORMS.csv]: {
    schema: {
      type: 'string',
      description: 'a line of names, then a line per row; nested fields as `a.b`; `limit` may be any number',
    },
  },
  [ROW_FORMS.ndjson]: { schema: { type: 'string', description: 'a line of JSON per row; `limit` may be any number' } },
}

/** An export is CSV when there is something to export and JSON when there is not; everything else is JSON. */
function contentOf(schema: TSchema, described: Json, example: unknown): Json {
  const { anyOf = [], format, examples } = schema as { anyOf?: Json[]; format?: string; examples?: unknown[] }
  const shown = example === undefined ? {} : { example }
  if (format === 'event-stream') return { 'text/event-stream': { schema: { type: 'string' }, example: examples?.[0] } }
  const csv = anyOf.find(({ format }) => format === 'csv')
  if (!csv) return { 'application/json': { schema: described, ...shown } }
  const others = anyOf.filter((part) => part !== csv)
  return {
    'text/plain': { schema: { ...csv }, ...shown },
    'application/json': { schema: { anyOf: others.map((part) => ({ ...part })) } },
  }
}

type Input = TSchema & { description?: string; default?: unknown; type?: string }

/** A value with a default need not be given. */
function describeInputs(place: 'path' | 'query', schema: Route['schema']['querystring'], noun: string): Json[] {
  const required = new Set(schema?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description = meaningOf(name, noun), ...rest } = property as Input
    const isRequired = required.has(name) && rest.default === undefined
    return {
      name,
      in: place,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: describeInput(rest as TSchema, isRequired),
    }
  })
}

/** Stands for 2^63 - 1, which no JavaScript number is. */
const LARGEST = 2 ** 63

/** The text of a description, with the largest 64-bit number to the last digit. */
export function writeDescription(description: Json): string {
  return writeJson(description).replaceAll(`"maximum":${LARGEST}`, `"maximum":${2n ** 63n - 1n}`)
}

/** Rules that the binder adds to a schema: 64-bit numbers are the largest, 0 means "not given" where a value need not be given, list items are never empty. */
function describeInput(schema: TSchema, isRequired: boolean): Json {
  const input = toSchema(schema, {})
  if (input.type === 'integer') {
    const { minimum = 0 } = input as { minimum?: number }
    return { maximum: LARGEST, ...input, minimum: isRequired ? minimum : Math.min(minimum, 0) }
  }
  const items = input.items as Json | undefined
  return items?.type === 'string' && !items.enum ? { ...input, items: { minLength: 1, ...items } } : input
}

/** Keywords of ours that mean nothing to a reader of the description. */
const OURS = new Set(['clamp', 'takesNoZero', 'takesTimes', 'inLines', 'style', 'explode'])

/** A plain copy in which named objects are references. */
function toSchema(schema: TSchema, components: Record<string, Json>): Json {
  const { title } = schema as { title?: string }
  if (title === undefined) return copySchema(schema, components)
  if (!(title in components)) {
    components[title] = {}
    components[title] = copySchema(schema, components)
  }
  return { $ref: `#/components/schemas/${title}` }
}

/** A property with its meaning: its own, or that of the data dictionary. A reference takes a description beside it (OpenAPI 3.1). */
function describeProperty(owner: TSchema, name: string, part: TSchema, components: Record<string, Json>): Json {
  const described = toSchema(part, components)
  const description = described.description ?? describeField((owner as { title?: string }).title, name)
  return description === undefined ? described : { ...described, description }
}

function copySchema(schema: TSchema, components: Record<string, Json>): Json {
  const copy: Json = {}
  for (const [key, value] of Object.entries(schema)) {
    if (OURS.has(key)) continue
    if (key === 'properties' || key === 'patternProperties')
      copy[key] = Object.fromEntries(
        Object.entries(value as Json).map(([name, part]) => [name, describeProperty(schema, name, part as TSchema, components)]),
      )
    else if (key === 'anyOf') copy[key] = (value as TSchema[]).map((part) => toSchema(part, components))
    else if (key === 'items') copy[key] = toSchema(value as TSchema, components)
    else copy[key] = value
  }
  if (copy.enum && copy.type === undefined) copy.type = typeof (copy.enum as unknown[])[0]
  return withNumberFormat(copy)
}
