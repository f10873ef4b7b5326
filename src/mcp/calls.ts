import { type CallToolResult, ErrorCode, McpError, type ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import { BadRequest } from '../api/http/errors.ts'
import { CATALOG } from '../operations/catalog.ts'
import type { Operation } from '../operations/operation.ts'
import { type Arguments, readArguments, type ToolRequest } from './arguments.ts'
import { answerFind, CALL_OPERATION, describeOperationTools, FIND_OPERATION, readCall } from './operation-tools.ts'
import { findResource } from './resources.ts'
import { failedResult, foundResult } from './result.ts'
import { describeTools, type ToolDescription } from './tools.ts'

/** Runs a tool whose arguments are in order. */
export type CallTool = (operation: Operation, request: ToolRequest, meta: Record<string, unknown>) => Promise<CallToolResult>

export type Tools = {
  isPaid: boolean
  /** Charges a call before anything of it is looked at; the result says why it is refused. Without an operation there is no such tool. */
  admit?: (operation: Operation | undefined) => Promise<CallToolResult | undefined>
  call: CallTool
}

const OPERATIONS = new Map(CATALOG.map((operation) => [operation.id, operation]))
const described = new Map<boolean, ToolDescription[]>()

export function describeAllTools(isPaid: boolean): ToolDescription[] {
  const tools = described.get(isPaid) ?? [...describeTools(isPaid), ...describeOperationTools(isPaid)]
  described.set(isPaid, tools)
  return tools
}

type Meta = Record<string, unknown>

/** Answers `tools/call`. Every call is charged first, also one that fails. */
export async function answerCall(tools: Tools, name: string, given: Arguments, meta: Meta): Promise<CallToolResult> {
  if (name === FIND_OPERATION) return (await tools.admit?.(undefined)) ?? find(given, tools.isPaid)
  if (name !== CALL_OPERATION) return callTool(tools, OPERATIONS.get(name), given, meta, name)
  const { operation, given: inner } = readCall(given)
  if (operation) return callTool(tools, operation, inner, meta, name)
  const refused = await tools.admit?.(undefined)
  return refused ?? failedResult(`there is no operation ${String(given.operation)}: ${FIND_OPERATION} lists those that there are`)
}

function find(given: Arguments, isPaid: boolean): CallToolResult {
  try {
    return foundResult(JSON.stringify(answerFind(given, isPaid)), {})
  } catch (error) {
    if (error instanceof BadRequest) return failedResult(error.message)
    throw error
  }
}

async function callTool(
  { admit, call }: Tools,
  operation: Operation | undefined,
  given: Arguments,
  meta: Meta,
  name: string,
): Promise<CallToolResult> {
  const refused = await admit?.(operation)
  if (refused) return refused
  if (!operation) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name}`)
  try {
    return await call(operation, readArguments(operation, given), meta)
  } catch (error) {
    if (error instanceof BadRequest) return failedResult(error.message)
    throw error
  }
}

/** The protocol's code for a resource that is not there. */
const NO_RESOURCE = -32002

/** Answers `resources/read`: a record is read, charged and paid for like a call of its operation. The message itself is charged as one read. */
export async function readResource(tools: Tools, uri: string, meta: Meta): Promise<ReadResourceResult> {
  const found = findResource(uri)
  if (!found) throw new McpError(NO_RESOURCE, `there is no resource ${uri}`, { uri })
  if ('text' in found) return { contents: [{ uri, mimeType: 'text/markdown', text: found.text }] }
  // Records cost one point, which the message has been charged already.
  const { content, isError, _meta } = await callTool(
    { ...tools, admit: async () => undefined },
    found.operation,
    found.given,
    meta,
    uri,
  )
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  if (isError) throw new McpError(NO_RESOURCE, text, { uri, ..._meta })
  return { contents: [{ uri, mimeType: 'application/json', text }], ...(_meta && { _meta }) }
}
