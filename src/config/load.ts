import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { OperatorError } from '../lib/errors.ts'
import { packagePath } from '../lib/package-path.ts'
import { demoPlans } from './access-schema.ts'
import { isAddressRange } from './address-range.ts'
import { findProblems } from './problems.ts'
import { type Config, ConfigSchema } from './schema.ts'

export type ConfigInput = {
  env: NodeJS.ProcessEnv
  /** values given on the command line, same shape as the file */
  overrides?: Record<string, unknown>
  /** path of the configuration file; default: ASTROLABE_CONFIG */
  file?: string
  /** without networks: whether those of the demo are meant, instead of the recordings alone. Told the data folder, where one is named. */
  isDemo?: (namedFolder: string | undefined) => boolean
}

/** Defaults, then the file, then environment variables, then the command line. Throws one error that lists every problem. */
export function loadConfig({ env, overrides = {}, file = env.ASTROLABE_CONFIG, isDemo }: ConfigInput): Config {
  const document = file ? readConfigFile(file) : {}
  const merged = merge(merge(document, fromEnvironment(ConfigSchema, env)), overrides)
  if (merged.networks === undefined) {
    merged.networks = isDemo?.(merged.data as string | undefined) ? demoNetworks() : recordedNetworks()
    const { evm, tempo } = (merged.paid ?? {}) as Record<string, unknown>
    if (!evm && !tempo) merged.access = { plans: demoPlans(), ...(merged.access as object | undefined) }
  }
  // Defaults are written into the value: what the caller gave stays his.
  const value = Value.Default(ConfigSchema, structuredClone(merged))
  const problems = findProblems(ConfigSchema, value)
  const config = value as Config
  if (problems.length === 0) problems.push(...crossCheck(config))
  if (problems.length > 0)
    throw new OperatorError(
      'bad_configuration',
      `the configuration has ${problems.length} problem(s):\n${problems.map((line) => `  - ${line}`).join('\n')}`,
    )
  return deepFreeze(config)
}

function readConfigFile(file: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(resolve(file), 'utf8')) as Record<string, unknown>
  } catch (error) {
    throw new OperatorError(
      'bad_configuration',
      `cannot read the configuration file ${file}: ${(error as Error).message}`,
      {},
      error,
    )
  }
}

function crossCheck({ networks, access, webhooks }: Config): string[] {
  const problems: string[] = []
  const plans = access.plans.map(({ name }) => name)
  if (!plans.includes('free')) problems.push('access.plans: one plan must be named free')
  if (new Set(plans).size < plans.length) problems.push('access.plans: every plan needs its own name')
  for (const { name, sold, price } of access.plans)
    if (sold && (name === 'free' || !(Number(price) > 0)))
      problems.push(
        `access.plans: ${name} cannot be sold ${name === 'free' ? 'because it needs no key' : 'without a price above 0'}`,
      )
  for (const proxy of access.trusted_proxies)
    if (!isAddressRange(proxy)) problems.push(`access.trusted_proxies: ${proxy} is neither an address nor a CIDR range`)
  for (const target of webhooks.private_targets)
    if (!isAddressRange(target)) problems.push(`webhooks.private_targets: ${target} is neither an address nor a CIDR range`)
  const names = networks.map(({ name }) => name)
  if (new Set(names).size < names.length) problems.push('networks: every network needs its own name')
  if (networks.filter(({ kind }) => kind === 'main').length > 1) problems.push('networks: only one main network is possible')
  for (const { name, recording, rpc } of networks)
    if ((recording === undefined) === (rpc === undefined)) problems.push(`networks.${name}: give either recording or rpc`)
  for (const { name, genesis, from_height: from } of networks)
    if (genesis !== undefined && from !== undefined)
      problems.push(`networks.${name}: give either genesis, to begin with a state, or from_height, to begin without one`)
  for (const { name, recording, from_height: from } of networks)
    if (recording !== undefined && from !== undefined)
      problems.push(`networks.${name}: from_height needs nodes (rpc), a recording does not tell who signs its blocks`)
  for (const { name, generated, rpc } of networks)
    if (generated && (rpc?.length !== 1 || !isLoopback(rpc[0]!)))
      problems.push(`networks.${name}: a generated chain needs one address of this machine in rpc`)
  for (const { name, offchain } of networks)
    for (const [source, { file, url }] of Object.entries(offchain))
      if (file !== undefined && url !== undefined) problems.push(`networks.${name}.offchain.${source}: give either file or url`)
  const ports = networks.map(({ listen }) => `${listen.host}:${listen.port}`).filter((address) => !address.endsWith(':0'))
  if (new Set(ports).size < ports.length) problems.push('networks: every network needs its own address')
  return problems
}

const isLoopback = (url: string) => /^http:\/\/127\.0\.0\.1:\d+\/?$/.test(url)

/** Collects `env` settings of the schema that are set, as a partial configuration. */
function fromEnvironment(schema: TSchema, env: NodeJS.ProcessEnv): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [name, property] of Object.entries((schema as { properties?: Record<string, TSchema> }).properties ?? {})) {
    const { env: variable, type } = property as { env?: string; type?: string }
    const text = variable ? env[variable] : undefined
    if (text !== undefined && text !== '') found[name] = fromText(text, type)
    else if (type === 'object') {
      const inner = fromEnvironment(property, env)
      if (Object.keys(inner).length > 0) found[name] = inner
    }
  }
  return found
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

function fromText(text: string, type: string | undefined): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return Number(text)
    case 'boolean':
      // Any other text is refused by the schema.
      return BOOLEANS.get(text.toLowerCase()) ?? text
    case 'array':
      return text.split(',').map((part) => part.trim())
    default:
      return text
  }
}

function merge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const result = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const old = result[key]
    result[key] = isPlain(old) && isPlain(value) ? merge(old, value) : value
  }
  return result
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}

/** Without settings `start` shows a generated chain that never ends, and beside it the bundled recordings. */
export function demoNetworks(): Record<string, unknown>[] {
  const demo = {
    name: 'demo',
    kind: 'main',
    generated: true,
    rpc: ['http://127.0.0.1:9870'],
    listen: { port: 9876 },
    offchain: { rollups: { file: packagePath('data/demo/rollups.json') } },
  }
  const devnet = { ...recorded('devnet', 'test', 'devnet', 9906), offchain: devnetOffchain() }
  return [demo, devnet, ...testNetworks()]
}

/** `start --no-live`: the bundled recordings as a main and two test networks, to their end. */
export function recordedNetworks(): Record<string, unknown>[] {
  return [{ ...recorded('main', 'main', 'devnet', 9876), offchain: devnetOffchain() }, ...testNetworks()]
}

const recorded = (name: string, kind: string, folder: string, port: number) => ({
  name,
  kind,
  recording: packagePath('data/recordings', folder),
  listen: { port },
})

const testNetworks = () => [recorded('test-1', 'test', 'test-1', 9886), recorded('test-2', 'test', 'test-2', 9896)]

const sample = (name: string) => ({ file: packagePath('data/offchain', `${name}.json`) })

/** The relayers of a recorded chain are not known. */
const devnetOffchain = () => ({
  price: sample('price'),
  names: sample('names'),
  hyperlane: sample('hyperlane'),
  rollups: { file: packagePath('data/recordings/devnet/rollups.json') },
})
