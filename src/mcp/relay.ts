import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ErrorCode, isJSONRPCRequest, isJSONRPCResultResponse, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { untilInputEnds } from './stdio.ts'

export type RelayOptions = {
  /** the endpoint of a service */
  url: URL
  /** sent with every request, an API key for example */
  headers: Record<string, string>
  onError: (error: Error) => void
  signal: AbortSignal
}

/** Joins standard input and output to an endpoint over HTTP. Messages pass as they are, with the payments in them. */
export async function relayStdio({ url, headers, onError, signal }: RelayOptions): Promise<void> {
  const local = new StdioServerTransport()
  const remote = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  const open = new Set<Promise<void>>()
  const ended = untilInputEnds(signal)
  remote.onmessage = (message) => {
    // Every later request has to name the version that was agreed on.
    if (isJSONRPCResultResponse(message) && typeof message.result.protocolVersion === 'string')
      remote.setProtocolVersion(message.result.protocolVersion)
    void local.send(message)
  }
  remote.onerror = onError
  local.onerror = onError
  local.onmessage = (message) => {
    const passing = remote
      .send(message)
      .catch((error: Error) => local.send(refuse(message, error)))
      .finally(() => open.delete(passing))
    open.add(passing)
  }
  await remote.start()
  await local.start()
  await ended
  await Promise.all(open)
  await remote.close()
  await local.close()
}

/** The caller waits for an answer, also when the service has none. */
function refuse(message: JSONRPCMessage, error: Error): JSONRPCMessage {
  const id = isJSONRPCRequest(message) ? message.id : undefined
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code: ErrorCode.InternalError, message: error.message },
  } as JSONRPCMessage
}
