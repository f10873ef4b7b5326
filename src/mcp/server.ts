import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { readBuildInfo } from '../lib/build-info.ts'
import type { ForSale } from '../operations/operation.ts'
import { answerCall, describeAllTools, readResource, type Tools } from './calls.ts'
import { listPrompts, writePrompt } from './prompts.ts'
import { listResources, listTemplates } from './resources.ts'

const { version } = readBuildInfo()

const ABOUT =
  'Indexed data of the Celestia chain. Amounts are strings in utia (a millionth of a TIA). Lists take limit and offset and come in the field items. ' +
  'What the other tools do not answer is found with find_operation and asked with call_operation.'
const PRICE =
  'Calls are paid for one by one, by x402 (_meta x402/payment) or MPP (_meta org.paymentauth/credential); a call without payment names the price.'

/** Lists are the same as long as a process runs. */
const STEADY = { listChanged: false }
const capabilities = { tools: STEADY, resources: { ...STEADY, subscribe: false }, prompts: STEADY }

/** Only questions to users are checked with it, and there are none; each server would make its own. */
const validator = new AjvJsonSchemaValidator()

/** A server of the protocol for one connection, or for one message where there are no connections. */
export function createToolServer<Item extends ForSale>(tools: Tools<Item>): Server {
  const server = new Server(
    { name: 'astrolabe', title: 'Astrolabe', version },
    { capabilities, instructions: tools.isPaid ? `${ABOUT} ${PRICE}` : ABOUT, jsonSchemaValidator: validator },
  )
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const { page, ...next } = pageOf(describeAllTools(tools), params?.cursor)
    return { tools: page, ...next }
  })
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    answerCall(tools, params.name, params.arguments ?? {}, params._meta ?? {}),
  )
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
    const { page, ...next } = pageOf(listResources(tools), params?.cursor)
    return { resources: page, ...next }
  })
  server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }) => {
    const { page, ...next } = pageOf(listTemplates(tools), params?.cursor)
    return { resourceTemplates: page, ...next }
  })
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(tools, params.uri, params._meta ?? {}))
  server.setRequestHandler(ListPromptsRequestSchema, ({ params }) => {
    const { page, ...next } = pageOf(listPrompts(tools), params?.cursor)
    return {
      prompts: page.map(({ name, title, description, arguments: args }) => ({ name, title, description, arguments: args })),
      ...next,
    }
  })
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => getPrompt(tools, params.name, params.arguments ?? {}))
  return server
}

function getPrompt<Item extends ForSale>(tools: Tools<Item>, name: string, given: Record<string, string>) {
  const prompt = listPrompts(tools).find((prompt) => prompt.name === name)
  if (!prompt) throw new McpError(ErrorCode.InvalidParams, `there is no prompt ${name}`)
  const missing = prompt.arguments.find((argument) => argument.required && !given[argument.name])
  if (missing) throw new McpError(ErrorCode.InvalidParams, `${missing.name} is required`)
  const content = { type: 'text' as const, text: writePrompt(prompt, given, tools) }
  return { description: prompt.description, messages: [{ role: 'user' as const, content }] }
}

/** Entries of one page of a list of the protocol. */
const PAGE = 50

/** The page that a cursor of ours names; the first without one. Any other cursor is an error of the caller, as the protocol asks. */
function pageOf<T>(all: readonly T[], cursor: string | undefined): { page: T[]; nextCursor?: string } {
  const from = cursor === undefined ? 0 : Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10)
  const isOurs = cursor === undefined || (from > 0 && from < all.length && from % PAGE === 0)
  if (!isOurs) throw new McpError(ErrorCode.InvalidParams, 'the cursor is none of this list')
  const next = from + PAGE
  const page = all.slice(from, next)
  return next < all.length ? { page, nextCursor: Buffer.from(String(next)).toString('base64url') } : { page }
}
