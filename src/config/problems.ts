import type { TSchema } from 'typebox'

/** The parts of JSON Schema that settings are written in. */
type SettingSchema = {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  properties?: Record<string, TSchema>
  required?: string[]
  items?: TSchema
  anyOf?: { const?: unknown }[]
  description?: string
  pattern?: string
  format?: string
  minLength?: number
  minItems?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

const KINDS = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
}

/** Problems of a setting and everything below it, each as one sentence that begins with its name. */
export function findProblems(schema: TSchema, value: unknown, path = ''): string[] {
  const { type, anyOf, properties, items, ...rules } = schema as SettingSchema
  if (anyOf) {
    const allowed = anyOf.map((option) => option.const)
    return allowed.includes(value) ? [] : [`${path}: ${allowed.map(show).join(' or ')}, not ${show(value)}`]
  }
  if (type && !isOfType(type, value)) return [`${path || 'configuration'}: ${KINDS[type]} is expected, not ${show(value)}`]
  if (properties) return findInObject(properties, rules.required ?? [], value as Record<string, unknown>, path)
  if (items) {
    const list = value as unknown[]
    if (list.length < (rules.minItems ?? 0)) return [`${path}: at least ${rules.minItems} is needed`]
    return list.flatMap((item, i) => findProblems(items, item, `${path}[${i}]`))
  }
  const broken = findBrokenRule(rules, value as string | number)
  return broken === undefined ? [] : [`${path}: ${broken}, not ${show(value)}`]
}

function findInObject(
  known: Record<string, TSchema>,
  required: string[],
  value: Record<string, unknown>,
  path: string,
): string[] {
  const nameOf = (key: string) => (path === '' ? key : `${path}.${key}`)
  const unknown = Object.keys(value).filter((key) => !(key in known))
  const missing = required.filter((key) => value[key] === undefined)
  return [
    ...unknown.map((key) => `unknown setting "${nameOf(key)}"${suggest(key, Object.keys(known))}`),
    ...missing.map((key) => `${nameOf(key)}: missing`),
    ...Object.entries(known).flatMap(([key, schema]) =>
      value[key] === undefined ? [] : findProblems(schema, value[key], nameOf(key)),
    ),
  ]
}

function isOfType(type: keyof typeof KINDS, value: unknown): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
  }
}

/** Rule that the value breaks, if any. */
function findBrokenRule(rules: SettingSchema, value: string | number): string | undefined {
  const { pattern, format, minLength = 0, minimum, maximum, exclusiveMinimum, description } = rules
  if (typeof value === 'string') {
    if (value.length < minLength) return `at least ${minLength} characters are needed`
    if (format === 'uri' && !URL.canParse(value)) return 'an address such as http://127.0.0.1:26657 is expected'
    if (pattern !== undefined && !new RegExp(pattern).test(value))
      return description ?? `a text that matches ${pattern} is expected`
    return undefined
  }
  if (minimum !== undefined && value < minimum) return `${minimum} or more`
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `more than ${exclusiveMinimum}`
  if (maximum !== undefined && value > maximum) return `${maximum} or less`
  return undefined
}

/** Another way of writing a name that is known: batchBlocks for batch_blocks, RPC for rpc. */
function suggest(key: string, known: string[]): string {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const meant = known.find(
    (name) => plain(name) === plain(key) || plain(name) === `${plain(key)}s` || `${plain(name)}s` === plain(key),
  )
  return meant === undefined ? '' : `: did you mean "${meant}"?`
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
