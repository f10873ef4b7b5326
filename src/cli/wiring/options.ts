import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { loadConfig } from '../../config/load.ts'
import type { Config, NetworkConfig } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { hasDemo } from './demo.ts'

export type CommonOptions = { config?: string; data?: string; database?: string; network?: string; logLevel?: string }

/** Options that every command with a database has. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file (JSON)')
    .option('--data <dir>', 'folder for the bundled database and other local files')
    .option('--database <url>', 'PostgreSQL to use instead of the bundled one')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent')
}

/** The value of an option that counts something. */
export function readCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('A whole number is wanted.')
  return Number(text)
}

/**
 * Settings of a command. Without networks in them the bundled recordings are meant, or the demo where a data folder is named that `start`
 * made one in. A folder that merely lies in the working directory decides nothing: a command that uses it says which networks it means.
 */
export function configOf(options: CommonOptions): Config {
  let isAssumed = false
  const config = readSettings(options, (named) => {
    isAssumed = named === undefined
    return named !== undefined && hasDemo(named)
  })
  if (isAssumed && config.database.url === undefined) process.stderr.write(describeAssumed(config))
  return config
}

/** `isDemo`: whether settings without networks mean those of the demo. */
export function readSettings(options: CommonOptions, isDemo: (namedFolder: string | undefined) => boolean): Config {
  return loadConfig({
    env: process.env,
    isDemo,
    ...(options.config !== undefined && { file: options.config }),
    overrides: {
      ...(options.data !== undefined && { data: options.data }),
      ...(options.logLevel !== undefined && { log_level: options.logLevel }),
      ...(options.database !== undefined && { database: { url: options.database } }),
    },
  })
}

/** Pages, APIs and the paid surface listen at `host`; health and the operator's API stay where the settings say. */
export function withHost(config: Config, host: string | undefined): Config {
  if (host === undefined) return config
  const networks = config.networks.map((network) => ({ ...network, listen: { ...network.listen, host } }))
  return { ...config, networks, paid: { ...config.paid, host } }
}

function describeAssumed({ networks, data }: Config): string {
  const names = networks.map(({ name }) => name).join(', ')
  const demo = hasDemo(data) ? `; --data ${data} means the demo that \`start\` made there` : ''
  return `astrolabe: no settings name networks: those of the bundled recordings are meant (${names}), in ${resolve(data)}${demo}\n`
}

/** The named network; without a name the only one, or the main one. */
export function networkOf(config: Config, name?: string): NetworkConfig {
  const found =
    name === undefined
      ? (config.networks.find(({ kind }) => kind === 'main') ?? config.networks[0])
      : config.networks.find((network) => network.name === name)
  if (!found)
    throw new OperatorError(
      'unknown_network',
      `there is no network ${name}: the configuration has ${config.networks.map((network) => network.name).join(', ')}`,
    )
  return found
}

export type SourceOptions = { recording?: string; rpc?: string }

/** The network with the source of the command line instead of the configured one, when there is one. */
export function withSource(network: NetworkConfig, { recording, rpc }: SourceOptions): NetworkConfig {
  if (recording === undefined && rpc === undefined) return network
  const { recording: _recording, rpc: _rpc, ...rest } = network
  return { ...rest, ...(recording !== undefined ? { recording } : { rpc: rpc!.split(',') }) }
}
