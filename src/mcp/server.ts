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
import { CATALOG } from '../operations/catalog.ts'
import type { Operation } from '../operations/operation.ts'
import { readArguments, type ToolRequest } from './arguments.ts'
import { failedResult } from './result.ts'
import { describeTools, type ToolDescription } from './tools.ts'

/** Runs a tool whose arguments are in order. */
export type CallTool = (operation: Operation, request: ToolRequest, meta: Record<string, unknown>) => Promise<CallToolResult>

export type Tools = {
  isPaid: boolean
  /** Charges a call before anything of it is looked at; the result says why it is refused. Without an operation there is no such tool. */
  admit?: (operation: Operation | undefined) => Promise<CallToolResult | undefined>
  call: CallTool
}

const { version } = readBuildInfo()
const OPERATIONS = new Map(CATALOG.map((operation) => [operation.id, operation]))

const ABOUT =
  'Indexed data of the Celestia chain. Amounts are strings in utia (a millionth of a TIA). Lists take limit and offset and come in the field items.'
const PRICE =
  'Calls are paid for one by one, by x402 (_meta x402/payment) or MPP (_meta org.paymentauth/credential); a call without payment names the price.'

/** Only questions to users are checked with it, and there are none; each server would make its own. */
const validator = new AjvJsonSchemaValidator()
const described = new Map<boolean, ToolDescription[]>()

/** A server of the protocol for one connection, or for one message where there are no connections. */
export function createToolServer({ isPaid, admit, call }: Tools): Server {
  const server = new Server(
    { name: 'astrolabe', title: 'Astrolabe', version },
    { capabilities: { tools: {} }, instructions: isPaid ? `${ABOUT} ${PRICE}` : ABOUT, jsonSchemaValidator: validator },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsOf(isPaid) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const operation = OPERATIONS.get(params.name)
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

function toolsOf(isPaid: boolean): ToolDescription[] {
  const tools = described.get(isPaid) ?? describeTools(isPaid)
  described.set(isPaid, tools)
  return tools
}
