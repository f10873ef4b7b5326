import type { TSchema } from 'typebox'
import { ConfigSchema } from './schema.ts'

type SettingSchema = {
  type?: string
  description?: string
  default?: unknown
  env?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  pattern?: string
  anyOf?: { const?: unknown }[]
  properties?: Record<string, TSchema>
  items?: TSchema
}

/** The schema for editors: what a configuration file may hold. Nothing is required in it, for everything has a default. */
export function makeJsonSchema(): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of Astrolabe',
    ...(withoutOwnWords(ConfigSchema) as Record<string, unknown>),
  }
}

/** `env` is ours, and what has a default is not required of the one who writes the file. */
function withoutOwnWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOwnWords)
  if (typeof schema !== 'object' || schema === null) return schema
  const { env: _env, required, ...rest } = schema as Record<string, unknown>
  const copy = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withoutOwnWords(value)]))
  const properties = (rest.properties ?? {}) as Record<string, { default?: unknown }>
  const needed = Array.isArray(required)
    ? required.filter((name: string) => properties[name] && !('default' in properties[name]))
    : []
  return needed.length > 0 && !needed.includes('networks') ? { ...copy, required: needed } : copy
}

/** All settings as a table, for the manual. */
export function describeSettings(): string {
  const rows: string[] = []
  collect('', ConfigSchema as SettingSchema, rows)
  return ['| Setting | Type | Default | Environment | Meaning |', '|---|---|---|---|---|', ...rows, ''].join('\n')
}

function collect(path: string, schema: SettingSchema, rows: string[]): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const setting = property as SettingSchema
    const full = path === '' ? name : `${path}.${name}`
    if (setting.properties) collect(full, setting, rows)
    else if (setting.items && (setting.items as SettingSchema).properties) {
      rows.push(rowOf(`${full}[]`, setting, ''))
      collect(`${full}[]`, setting.items as SettingSchema, rows)
    } else rows.push(rowOf(full, setting, boundsOf(setting)))
  }
}

function rowOf(path: string, schema: SettingSchema, bounds: string): string {
  const { default: value, env, description = '' } = schema
  const shown = value === undefined ? '' : `\`${JSON.stringify(value)}\``
  const isLong = shown.length > 60
  return `| \`${path}\` | ${typeOf(schema)} | ${isLong ? 'see the schema' : shown} | ${env === undefined ? '' : `\`${env}\``} | ${escapeCell(description)}${bounds} |`
}

function typeOf({ type, anyOf, items }: SettingSchema): string {
  if (anyOf) return 'word'
  if (type === 'array') return `list of ${items && 'properties' in items ? 'object' : typeOf((items ?? {}) as SettingSchema)}s`
  return type === 'integer' ? 'whole number' : type === 'string' ? 'text' : (type ?? 'value')
}

function boundsOf({ minimum, maximum, exclusiveMinimum, anyOf }: SettingSchema): string {
  if (anyOf) return ` (${anyOf.map((option) => String(option.const)).join(' or ')})`
  const parts = [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`up to ${maximum}`]),
  ]
  return parts.length > 0 ? ` (${parts.join(' ')})` : ''
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|')
