import { OperatorError } from '../../lib/errors.ts'

const PATTERN = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(\?[^#]*)?$/

/** One server of an address that may name several: `postgres://user@one:5432,two:5432/db`. */
export type ServerAddress = {
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

export const hasSeveralServers = (url: string): boolean => (PATTERN.exec(url)?.[3] ?? '').includes(',')

function serversOf([, scheme = '', login = '', hosts = '', path = '', query = '']: RegExpExecArray): ServerAddress[] {
  const parameters = new URLSearchParams(query)
  // Which server may be used is found out by asking it; the clients know this word in different ways or not at all.
  parameters.delete('target_session_attrs')
  const rest = `${path}${parameters.size > 0 ? `?${parameters}` : ''}`
  return hosts.split(',').map((host) => ({ url: `${scheme}${login}${host}${rest}`, place: host || 'the local socket' }))
}
