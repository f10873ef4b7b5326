import type { Command } from 'commander'
import type { Config } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { type Closing, closeAll } from '../wiring/closing.ts'
import { openDatabase } from '../wiring/database.ts'
import { openNetworkContext } from '../wiring/network-context.ts'
import { type CommonOptions, configOf, networkOf, withCommonOptions } from '../wiring/options.ts'
import { type Runtime, runCommand } from '../wiring/runtime.ts'

type McpOptions = CommonOptions & { url?: string; key?: string }

export function registerMcpCommand(program: Command): void {
  withCommonOptions(
    program.command('mcp').description('serve the tools for agents (Model Context Protocol) over standard input and output'),
  )
    .option('--network <name>', 'configured network to read; the main one by default')
    .option('--url <url>', 'a running service to ask instead, on its key surface or its paid surface')
    .option('--key <key>', 'API key for that service (or the variable ASTROLABE_API_KEY)')
    .action((options: McpOptions) => {
      const config = configOf(options)
      return runCommand(config.log_level, (runtime) =>
        options.url === undefined ? serveNetwork(config, options.network, runtime) : relay(options.url, options.key, runtime),
      )
    })
}

/** Reads the database of a configured network. Whoever has it needs no key. */
async function serveNetwork(config: Config, name: string | undefined, runtime: Runtime): Promise<void> {
  const network = networkOf(config, name)
  const database = await openDatabase(config, runtime.log)
  const closing: Closing = [database.stop]
  try {
    // Contents of blobs are no tool.
    const context = await openNetworkContext(
      config,
      network,
      database.urlOf(network),
      () => ({ read: async () => undefined }),
      runtime,
    )
    closing.push(context.close)
    const [{ openOperations }, { createKeyTools }, { serveStdio }] = await Promise.all([
      import('../../operations/serve-operations.ts'),
      import('../../mcp/key-tools.ts'),
      import('../../mcp/stdio.ts'),
    ])
    const operations = openOperations(context.ctx)
    closing.push(async () => operations.close())
    const tools = createKeyTools(operations, (error) => runtime.log.error({ err: error }, 'lookup failed'))
    await serveStdio(tools, runtime.signal)
  } finally {
    await closeAll(closing, runtime.log)
  }
}

async function relay(text: string, key: string | undefined, { log, signal }: Runtime): Promise<void> {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new OperatorError(
      'bad_option',
      `--url takes the address of a service, such as https://celestia.example.org, not ${text}`,
    )
  const url = new URL(text)
  if (!url.pathname.endsWith('/mcp')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/mcp`
  const apikey = key ?? process.env.ASTROLABE_API_KEY
  const { relayStdio } = await import('../../mcp/relay.ts')
  await relayStdio({
    url,
    headers: apikey === undefined ? {} : { apikey },
    onError: (error) =>
      log.warn({ reason: error.message }, 'the connection to the service failed: the call is answered with an error'),
    signal,
  })
}
