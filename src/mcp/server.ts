import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { BadRequest } from '../api/http/errors.ts'
import { readBuildInfo } from '../lib/build-info.ts'
import type { ForSale, Operation } from '../operations/operation.ts'
import { readArguments, type ToolRequest } from './arguments.ts'
import { failedResult } from './result.ts'
import { describeTools, type ToolDescription } from './tools.ts'

/** Runs a tool whose arguments are in order. */
export type CallTool<Item> = (operation: Item, request: ToolRequest, meta: Record<string, unknown>) => Promise<CallToolResult>

export type Tools<Item extends ForSale = Operation> = {
  /** one tool each */
  items: readonly Item[]
  isPaid: boolean
  /** Charges a call before anything of it is looked at; the result says why it is refused. Without an operation there is no such tool. */
  admit?: (operation: Item | undefined) => Promise<CallToolResult | undefined>
  call: CallTool<Item>
}

const { version } = readBuildInfo()

const ABOUT =
  'Indexed data of the Celestia chain. Amounts are strings in utia (a millionth of a TIA). Lists take limit and offset and come in the field items.'
const PRICE =
  'Calls are paid for one by one, by x402 (_meta x402/payment) or MPP (_meta org.paymentauth/credential); a call without payment names the price.'

/** Only questions to users are checked with it, and there are none; each server would make its own. */
const validator = new AjvJsonSchemaValidator()
const described = new WeakMap<readonly ForSale[], ToolDescription[]>()

/** A server of the protocol for one connection, or for one message where there are no connections. */
export function createToolServer<Item extends ForSale>({ items, isPaid, admit, call }: Tools<Item>): Server {
  const server = new Server(
    { name: 'astrolabe', title: 'Astrolabe', version },
    { capabilities: { tools: {} }, instructions: isPaid ? `${ABOUT} ${PRICE}` : ABOUT, jsonSchemaValidator: validator },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsOf(items, isPaid) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const operation = items.find(({ id }) => id === params.name)
    const refused = await admit?.(operation)
    if (refused) return refused
    if (!operation) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}`)
    let request: ToolRequest
    try {
      request = readArguments(operation, params.arguments ?? {})
    } catch (error) {
      if (error instanceof BadRequest) return failedResult(error.message)
      throw error
    }
    return call(operation, request, params._meta ?? {})
  })
  return server
}

/** Each surface has a list of its own. */
function toolsOf(items: readonly ForSale[], isPaid: boolean): ToolDescription[] {
  const tools = described.get(items) ?? describeTools(items, isPaid)
  described.set(items, tools)
  return tools
}
