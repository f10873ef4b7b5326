import { OperatorError } from '../../lib/errors.ts'

const PATTERN = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(\?[^#]*)?$/

/** One server of an address that may name several: `postgres://user@one:5432,two:5432/db`. */
export type ServerAddress = {
  /** with one host, or with the folder of a Unix socket in its place: `postgres://user@%2Frun%2Fpostgresql:5432/db` */
  url: string
  /** host and port, without user and password: it ends up in logs and metrics */
  place: string
}

export const isPostgresUrl = (url: string): boolean => {
  const match = PATTERN.exec(url)
  return match !== null && serversOf(match).every((each) => URL.canParse(each.url))
}

/** Every server that an address names, in its order. */
export function listServers(url: string): ServerAddress[] {
  const match = PATTERN.exec(url)
  if (!match || !isPostgresUrl(url))
    throw new OperatorError(
      'database_address',
      'this is no address of a PostgreSQL: postgres://USER:PASSWORD@HOST:PORT/DATABASE is wanted, or several HOST:PORT separated by commas',
    )
  return serversOf(match)
}

/** The path of the Unix socket, where the address of one server names the folder of one. */
export function socketOf(url: string): string | undefined {
  const { hostname, port } = new URL(url)
  return /^%2f/i.test(hostname) ? `${decodeURIComponent(hostname)}/.s.PGSQL.${port || 5432}` : undefined
}

export const hasSeveralServers = (url: string): boolean => (PATTERN.exec(url)?.[3] ?? '').includes(',')

function serversOf([, scheme = '', login = '', hosts = '', path = '', query = '']: RegExpExecArray): ServerAddress[] {
  const parameters = new URLSearchParams(query)
  // Which server may be used is found out by asking it; the clients know this word in different ways or not at all.
  parameters.delete('target_session_attrs')
  // Form of libpq: `postgres://user@/db?host=/run/postgresql`.
  const folder = parameters.get('host')
  if (folder?.startsWith('/')) {
    hosts = `${encodeURIComponent(folder)}:${parameters.get('port') ?? (hosts.split(':')[1] || 5432)}`
    parameters.delete('host')
    parameters.delete('port')
  }
  const rest = `${path}${parameters.size > 0 ? `?${parameters}` : ''}`
  return hosts
    .split(',')
    .map((host) => ({ url: `${scheme}${login}${host}${rest}`, place: host.replaceAll(/%2f/gi, '/') || 'the local socket' }))
}
