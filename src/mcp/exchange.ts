import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FastifyRequest } from 'fastify'
import type { ForSale } from '../operations/operation.ts'
import type { Tools } from './calls.ts'
import { createToolServer } from './server.ts'

/** One message over HTTP and its answer. Nothing is remembered between two: any process can answer the next one. */
export async function exchange<Item extends ForSale>(
  request: FastifyRequest,
  message: unknown,
  tools: Tools<Item>,
): Promise<Response> {
  const server = createToolServer(tools)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport as Parameters<typeof server.connect>[0])
  try {
    return await transport.handleRequest(toWebRequest(request), { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** The transport looks at a few headers and wants an absolute address; ours does not matter to it. */
function toWebRequest({ headers }: FastifyRequest): Request {
  const { accept, 'content-type': type, 'mcp-protocol-version': version } = headers
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: Object.entries({ accept, 'content-type': type, 'mcp-protocol-version': version }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  })
}
