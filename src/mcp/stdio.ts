import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Tools } from './calls.ts'
import { createToolServer } from './server.ts'

/** Serves tools over standard input and output until the input ends. */
export async function serveStdio(tools: Tools, signal: AbortSignal): Promise<void> {
  const server = createToolServer(tools)
  const transport = new StdioServerTransport()
  const ended = untilInputEnds(signal)
  await server.connect(transport)
  await ended
  await server.close()
}

/** The library does not notice that nobody will write any more. */
export function untilInputEnds(signal: AbortSignal): Promise<void> {
  return new Promise((end) => {
    process.stdin.once('end', end)
    process.stdin.once('close', end)
    signal.addEventListener('abort', () => end(), { once: true })
  })
}
