import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, OBSERVABILITY_PORT } from '../../config/schema.ts'
import type { Addresses } from '../terminal/welcome.ts'

/** A port that was taken, and the one that is used in its place. */
export type MovedPort = { what: string; wanted: number; used: number }

/** By the port that was wanted. */
type KeptPorts = Record<string, number>

const fileOf = ({ data }: Config): string => join(resolve(data), 'ports.json')

function readKept(config: Config): KeptPorts {
  try {
    const kept: unknown = JSON.parse(readFileSync(fileOf(config), 'utf8'))
    return Object.fromEntries(
      Object.entries(kept ?? {}).filter(([, port]) => Number.isInteger(port) && port > 0 && port < 65_536),
    )
  } catch {
    // None was moved, or the file cannot be read: the configured ports are tried.
    return {}
  }
}

/** The settings with the ports that the last start had to take instead, so that addresses stay what they were. */
export function withKeptPorts(config: Config): Config {
  const kept = readKept(config)
  const move = <T extends { port: number }>(listen: T): T => ({ ...listen, port: kept[listen.port] ?? listen.port })
  const { observability } = config
  return {
    ...config,
    networks: config.networks.map((network) => ({ ...network, listen: move(network.listen) })),
    paid: move(config.paid),
    operator: move(config.operator),
    observability: move({ ...observability, port: observability.port ?? OBSERVABILITY_PORT }),
  }
}

/** Servers that do not listen on the port in `config`. */
export function findMovedPorts(config: Config, { networks, paid, operator, observability }: Addresses): MovedPort[] {
  const wanted: [what: string, port: number, url: string | undefined][] = [
    ...config.networks.map(({ name, listen }) => [name, listen.port, networks[name]?.page] as [string, number, string]),
    ['the paid surface', config.paid.port, paid?.url],
    ["the operator's API", config.operator.port, operator?.url],
    ['health', config.observability.port ?? OBSERVABILITY_PORT, observability?.url],
  ]
  return wanted.flatMap(([what, port, url]) => {
    const used = url === undefined ? 0 : Number(new URL(url).port)
    return port === 0 || used === 0 || used === port ? [] : [{ what, wanted: port, used }]
  })
}

/** Keeps the moved ports for the next start, and says where everything is. */
export function keepPorts(config: Config, moved: readonly MovedPort[]): string[] {
  const before = readKept(config)
  if (moved.length > 0) {
    mkdirSync(resolve(config.data), { recursive: true })
    writeFileSync(fileOf(config), `${JSON.stringify(Object.fromEntries(moved.map(({ wanted, used }) => [wanted, used])))}\n`)
  }
  return moved.map(({ what, wanted, used }) =>
    before[wanted] === used
      ? `${what} is still on port ${used}, as at the last start: port ${wanted} was taken then (${fileOf(config)})`
      : `port ${wanted} was taken: ${what} is on port ${used} instead, also at the next start`,
  )
}

export const forgetPorts = (config: Config): void => rmSync(fileOf(config), { force: true })
