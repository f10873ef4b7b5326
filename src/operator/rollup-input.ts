import { BadRequest } from '../api/http/errors.ts'
import { RollupCategory, RollupType } from '../api/schema/enums.ts'
import type { ProviderEntry, RollupEntry, RollupFields } from '../store/rollups/entry.ts'

const MAX_TEXT = 2048
const MAX_ITEMS = 100

type Read = (value: string) => boolean

const isUrl: Read = (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
const anyText: Read = () => true

/** Fields of a rollup and what their text must look like; an empty text means "not given". */
const TEXTS: Record<string, [check: Read, expected: string]> = {
  name: [anyText, 'a text'],
  description: [anyText, 'a text'],
  website: [isUrl, 'an http address'],
  github: [isUrl, 'an http address'],
  twitter: [isUrl, 'an http address'],
  logo: [isUrl, 'an http address'],
  l2_beat: [isUrl, 'an http address'],
  defi_lama: [anyText, 'a text'],
  bridge: [(text) => /^0x[0-9a-fA-F]{40}$/.test(text), 'an Ethereum address'],
  explorer: [isUrl, 'an http address'],
  stack: [anyText, 'a text'],
  compression: [anyText, 'a text'],
  provider: [anyText, 'a text'],
  vm: [anyText, 'a text'],
  settled_on: [anyText, 'a text'],
  color: [(text) => /^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/.test(text), 'a color like #12ab34'],
  type: [(text) => (RollupType.enum as readonly string[]).includes(text), `one of ${RollupType.enum.join(', ')}`],
  category: [(text) => (RollupCategory.enum as readonly string[]).includes(text), `one of ${RollupCategory.enum.join(', ')}`],
}

const LISTS: Record<string, [check: Read, expected: string]> = {
  tags: [anyText, 'texts'],
  links: [isUrl, 'http addresses'],
}

const REQUIRED = ['name', 'description', 'logo'] as const

/** A new rollup: name, description, logo and a provider are needed. */
export function readNewRollup(body: unknown): RollupEntry {
  const fields = readRollupFields(body)
  for (const name of REQUIRED) if (!fields[name]) throw new BadRequest(`${name} is required`, name)
  if (!fields.providers) throw new BadRequest('providers: at least one is required', 'providers')
  return fields as RollupEntry
}

/** Fields of a rollup to change. Unknown fields are ignored. */
export function readRollupFields(body: unknown): RollupFields {
  const given = asObject(body, 'body')
  const fields: Record<string, unknown> = {}
  for (const [name, [check, expected]] of Object.entries(TEXTS)) {
    const text = readText(given[name], name)
    if (text === '') continue
    if (!check(text)) throw new BadRequest(`${name} must be ${expected}`, name)
    fields[name] = text
  }
  for (const [name, [check, expected]] of Object.entries(LISTS)) {
    const items = readList(given[name], name).map((item) => readText(item, name))
    if (!items.every((item) => item !== '' && check(item))) throw new BadRequest(`${name} must be ${expected}`, name)
    if (items.length > 0) fields[name] = items
  }
  if (given.providers !== undefined && given.providers !== null) fields.providers = readProviders(given.providers)
  return fields as RollupFields
}

const MAX_BULK = 10

/** Items of a bulk request; what is wrong inside one of them is that item's own failure. */
export function readBulk(body: unknown): Record<string, unknown>[] {
  const { rollups } = asObject(body, 'body')
  if (rollups === undefined || rollups === null) throw new BadRequest('rollups is required', 'rollups')
  const items = readList(rollups, 'rollups')
  if (items.length > MAX_BULK) throw new BadRequest(`rollups has more than ${MAX_BULK} items`, 'rollups')
  return items.map((item) => asObject(item, 'rollups'))
}

/** 0 and absent both mean a new rollup. */
export function readId(value: unknown): number {
  if (value === undefined || value === null) return 0
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 2 ** 31 - 1)
    throw new BadRequest('id must be an integer', 'id')
  return value
}

function readProviders(value: unknown): ProviderEntry[] {
  const providers = readList(value, 'providers').map((item): ProviderEntry => {
    const { address, namespace } = asObject(item, 'providers')
    const entry = { address: readText(address, 'providers'), namespace: readText(namespace, 'providers') }
    if (entry.address === '' && entry.namespace === '')
      throw new BadRequest('a provider needs an address or a namespace', 'providers')
    return {
      ...(entry.address !== '' && { address: entry.address }),
      ...(entry.namespace !== '' && { namespace: entry.namespace }),
    }
  })
  if (providers.length === 0) throw new BadRequest('providers: at least one is required', 'providers')
  return providers
}

function readText(value: unknown, name: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new BadRequest(`${name} must be a string`, name)
  if (value.length > MAX_TEXT) throw new BadRequest(`${name} has more than ${MAX_TEXT} characters`, name)
  return value.trim()
}

function readList(value: unknown, name: string): unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new BadRequest(`${name} must be an array`, name)
  if (value.length > MAX_ITEMS) throw new BadRequest(`${name} has more than ${MAX_ITEMS} items`, name)
  return value
}

/** Keys match in any case, the first of them counts, as in every body of the API (docs/rules.md R4). */
function asObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadRequest(`${name}: a JSON object is expected`, name)
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key.toLowerCase(), item])
      .reverse(),
  )
}
