import { type CallToolResult, ErrorCode, McpError, type ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import { BadRequest } from '../api/http/errors.ts'
import type { KeyOperation } from '../operations/key-operations.ts'
import type { ForSale, Operation } from '../operations/operation.ts'
import { type Arguments, readArguments, type ToolRequest } from './arguments.ts'
import { answerFind, CALL_OPERATION, describeOperationTools, FIND_OPERATION, readCall } from './operation-tools.ts'
import { type FoundResource, findResource } from './resources.ts'
import { failedResult, foundResult, statusOf } from './result.ts'
import { describeTools, type ToolDescription } from './tools.ts'

/** Runs a tool whose arguments are in order. */
export type CallTool<Item> = (operation: Item, request: ToolRequest, meta: Meta) => Promise<CallToolResult>

export type Tools<Item extends ForSale = Operation> = {
  /** one tool each: the small set for common questions */
  items: readonly Item[]
  /** What answers an operation of the API here; undefined where nothing does. */
  reach: (operation: KeyOperation) => Item | undefined
  isPaid: boolean
  /** Charges a call before anything of it is looked at; the result says why it is refused. Without an operation there is no such tool. */
  admit?: (operation: Item | undefined) => Promise<CallToolResult | undefined>
  call: CallTool<Item>
  /** The demand for payment in a result as an error, for answers that are not results of tools. */
  demandOf?: ((result: CallToolResult) => McpError | undefined) | undefined
}

type Meta = Record<string, unknown>

/** Each surface has its own list. */
const described = new WeakMap<readonly ForSale[], ToolDescription[]>()

export function describeAllTools<Item extends ForSale>(tools: Tools<Item>): ToolDescription[] {
  const { items, isPaid } = tools
  const all = described.get(items) ?? [...describeTools(items, isPaid), ...describeOperationTools(tools)]
  described.set(items, all)
  return all
}

/** Answers `tools/call`. Every call is charged first, also one that fails. */
export async function answerCall<Item extends ForSale>(
  tools: Tools<Item>,
  name: string,
  given: Arguments,
  meta: Meta,
): Promise<CallToolResult> {
  if (name === FIND_OPERATION) return (await tools.admit?.(undefined)) ?? find(tools, given)
  if (name === CALL_OPERATION) return callNamed(tools, given, meta)
  const operation = tools.items.find(({ id }) => id === name)
  const refused = await tools.admit?.(operation)
  if (refused) return refused
  if (!operation) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name}`)
  return run(tools, operation, given, meta)
}

async function callNamed<Item extends ForSale>(tools: Tools<Item>, given: Arguments, meta: Meta): Promise<CallToolResult> {
  const { operation, given: inner } = readCall(given)
  const item = operation && tools.reach(operation)
  const refused = await tools.admit?.(item)
  if (refused) return refused
  if (item) return run(tools, item, inner, meta)
  const why = operation ? `${operation.id} is ${unreached(tools)}` : `there is no operation ${String(given.operation)}`
  return failedResult(404, `${why}: ${FIND_OPERATION} lists those that there are`)
}

const unreached = ({ isPaid }: Pick<Tools, 'isPaid'>): string => (isPaid ? 'not sold here' : 'not answered here')

function find<Item extends ForSale>(tools: Tools<Item>, given: Arguments): CallToolResult {
  return explained(() => foundResult(JSON.stringify(answerFind(given, tools)), {}))
}

async function run<Item extends ForSale>(tools: Tools<Item>, item: Item, given: Arguments, meta: Meta): Promise<CallToolResult> {
  const request = explained(() => readArguments(item, given))
  return 'content' in request ? request : tools.call(item, request, meta)
}

/** What `read` gives, or the sentence about what is wrong with its input. */
function explained<T>(read: () => T): T | CallToolResult {
  try {
    return read()
  } catch (error) {
    if (error instanceof BadRequest) return failedResult(400, error.message)
    throw error
  }
}

/** The protocol's code for a resource that is not there. */
const NO_RESOURCE = -32002

/** What is wrong with an address leads to no resource either. */
function codeOf(status: number): number {
  if (status === 400 || status === 404) return NO_RESOURCE
  return status < 500 ? ErrorCode.InvalidRequest : ErrorCode.InternalError
}

/** Answers `resources/read`: a record is read, charged and paid for like a call of its operation. */
export async function readResource<Item extends ForSale>(
  tools: Tools<Item>,
  uri: string,
  meta: Meta,
): Promise<ReadResourceResult> {
  const found = findResource(uri)
  const item = found && 'operation' in found ? tools.reach(found.operation) : undefined
  const refused = await tools.admit?.(item)
  if (found && 'text' in found && !refused) return { contents: [{ uri, mimeType: 'text/markdown', text: found.text }] }
  const result = refused ?? (item && 'given' in found! ? await run(tools, item, found.given, meta) : missing(tools, uri, found))
  const { content, isError, _meta } = result
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  if (isError) throw tools.demandOf?.(result) ?? new McpError(codeOf(statusOf(result)), text, { uri, ..._meta })
  return { contents: [{ uri, mimeType: 'application/json', text }], ...(_meta && { _meta }) }
}

const missing = (tools: Pick<Tools, 'isPaid'>, uri: string, found: FoundResource | undefined): CallToolResult =>
  failedResult(404, found ? `${uri} is ${unreached(tools)}` : `there is no resource ${uri}`)
