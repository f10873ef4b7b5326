import { createServer } from 'node:net'
import { type Config, OBSERVABILITY_PORT } from '../../../config/schema.ts'
import { boundFetch } from '../../../lib/read-bounded.ts'
import type { Finding } from '../../terminal/finding.ts'

/** A server that a start wants to open. `sign` is a path that only it answers like this. */
type Wanted = { what: string; host: string; port?: number; isMovable?: boolean; sign: { path: string; text: RegExp } }

/** Whether the servers of a start find their ports free. */
export async function* checkPorts(config: Config): AsyncGenerator<Finding> {
  for (const { what, host, port = OBSERVABILITY_PORT, isMovable, sign } of wantedOf(config)) {
    if (port === 0) continue
    const code = await tryPort(host, port)
    if (code === undefined) yield { level: 'ok', what, detail: `${host}:${port} is free` }
    else if (code !== 'EADDRINUSE') yield { level: 'fail', what, detail: `${host}:${port} cannot be used (${code})` }
    else if (await answersLike(host, port, sign))
      yield { level: 'ok', what, detail: `${host}:${port} is used by an Astrolabe that runs` }
    else
      yield {
        level: 'warn',
        what,
        detail: `${host}:${port} is taken: ${isMovable ? 'another one is chosen' : 'start chooses another one, serve and pay refuse'}`,
      }
  }
}

const wantedOf = ({ networks, operator, observability, paid }: Config): Wanted[] => [
  ...networks.map(({ name, listen }) => ({
    what: `port of ${name}`,
    sign: { path: '/v1/head', text: new RegExp(`"name":"astrolabe_${name}"`) },
    ...listen,
  })),
  ...(operator.enabled
    ? [{ what: "port of the operator's API", sign: { path: '/', text: /<title>Operator · Astrolabe/ }, ...operator }]
    : []),
  ...(observability.enabled
    ? [
        {
          what: 'port of observability',
          isMovable: observability.port === undefined,
          sign: { path: '/metrics', text: /^astrolabe_/m },
          ...observability,
        },
      ]
    : []),
  ...(paid.enabled
    ? [{ what: 'port of the paid surface', sign: { path: '/openapi.json', text: /"title":"[^"]*Astrolabe/ }, ...paid }]
    : []),
]

function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'error'))
    server.listen(port, host, () => server.close(() => done(undefined)))
  })
}

const ANSWER_MS = 2000
const ANSWER_BYTES = 5e6
const ask = boundFetch(ANSWER_BYTES)

async function answersLike(host: string, port: number, { path, text }: Wanted['sign']): Promise<boolean> {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  try {
    const response = await ask(`http://${address}:${port}${path}`, { signal: AbortSignal.timeout(ANSWER_MS) })
    return text.test(await response.text())
  } catch {
    return false
  }
}
