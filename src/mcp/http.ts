import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../api/http/errors.ts'
import { LIMITS } from '../api/http/limits.ts'
import type { ForSale } from '../operations/operation.ts'
import type { Tools } from './calls.ts'

export const MCP_PATH = '/mcp'

export type McpRoute<Item extends ForSale> = {
  /** The tools for one HTTP request, of one message or several. */
  open: (request: FastifyRequest, reply: FastifyReply) => Promise<OpenTools<Item>>
  /** Throws when the caller may not send so many messages now. Calls are counted where they are answered. */
  admit?: (request: FastifyRequest, reply: FastifyReply, messages: number) => Promise<void>
  /** of all answers to one HTTP message together */
  answerBytes?: number | undefined
}

export type OpenTools<Item extends ForSale> = Tools<Item> & {
  /** Told when everything is answered and about to be sent. */
  onAnswered?: (reply: FastifyReply) => void
}

const ALLOW = 'OPTIONS, POST'

/** JSON-RPC messages in one HTTP message. The protocol has given batches up, older clients send a few at once. */
const MESSAGES = 20

const PREFLIGHT = {
  allow: ALLOW,
  'access-control-allow-methods': ALLOW,
  'access-control-allow-headers':
    'apikey, authorization, content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id, x-request-id',
  'access-control-max-age': '86400',
}

/** The Model Context Protocol over HTTP (Streamable HTTP, without sessions and without streams). */
export function addMcpRoute<Item extends ForSale>(app: FastifyInstance, { open, admit, answerBytes }: McpRoute<Item>): void {
  // In its own scope, because the surfaces read bodies each in its own way.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.post(MCP_PATH, { bodyLimit: LIMITS.bodyBytes }, async (request, reply) => {
      const message = parse(request.body)
      const messages = [message].flat()
      const charge = async (count: number) => (count > 0 ? admit?.(request, reply, count) : undefined)
      if (messages.length > MESSAGES) {
        await charge(1)
        throw new HttpError(413, 'too_many_messages', `a batch has at most ${MESSAGES} messages`)
      }
      const calls = messages.filter(isCall).length
      await charge(messages.length - calls)
      // The protocol's library takes a quarter of a second to load, which only those wait for who use it.
      const [{ exchange }, { boundTools }] = await Promise.all([import('./exchange.ts'), import('./bounded-tools.ts')])
      const opened = await open(request, reply)
      const tools = boundTools(opened, answerBytes)
      const response = await exchange(request, message, tools)
      // Calls that the library refused before a tool saw them.
      await charge(calls - tools.reached)
      opened.onAnswered?.(reply)
      reply.code(response.status).header('cache-control', 'no-store')
      const type = response.headers.get('content-type')
      if (type !== null) reply.header('content-type', type)
      // Bytes, because the framework adds a charset to the type of texts.
      return reply.send(Buffer.from(await response.arrayBuffer()))
    })
    scope.options(MCP_PATH, (_request, reply) => {
      reply.headers(PREFLIGHT).code(204).send()
    })
    scope.route({
      method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
      url: MCP_PATH,
      // In a hook, so that a body of any kind does not matter.
      onRequest: (_request, _reply, done) =>
        done(new HttpError(405, 'method_not_allowed', 'Method Not Allowed', { allow: ALLOW })),
      handler: () => {},
    })
  })
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return NO_MESSAGE
  }
}

/** No message of the protocol: its library refuses it as one that cannot be read. */
const NO_MESSAGE = {}

/** Calls of operations, and records that are read by one. */
function isCall(message: unknown): boolean {
  const { method } = (message ?? {}) as { method?: unknown }
  return method === 'tools/call' || method === 'resources/read'
}
