import type { Client as ToolClient } from '@modelcontextprotocol/sdk/client/index.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { McpClient } from 'mppx/mcp/client'
import { payerKey } from '../../src/pay/local-chain/accounts.ts'
import type { Hex, PaySettings } from '../../src/pay/settings.ts'
import { mppMethod, x402ClientOf } from '../pay/clients.ts'

/** The official client of the protocol, and how the two payment protocols pay with it. */

export type { ToolClient }
export type ToolResult = CallToolResult
export type Call = (name: string, args?: Record<string, unknown>) => Promise<ToolResult>

export async function connect(url: string, headers: Record<string, string> = {}): Promise<ToolClient> {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } })
  return connectOver(transport as Transport)
}

export async function connectOver(transport: Transport): Promise<ToolClient> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  // The client checks results against the schemas it was told.
  await client.listTools()
  return client
}

export const callOf =
  (client: ToolClient): Call =>
  async (name, args = {}) =>
    (await client.callTool({ name, arguments: args })) as ToolResult

/** Pays by MPP with the protocol's own wrapper. */
export function callByMpp(client: ToolClient, settings: PaySettings, key: Hex = payerKey(0)): Call {
  return callOf(McpClient.wrap(client as never, { methods: [mppMethod(settings, key)] }) as never)
}

export const X402_PAYMENT = 'x402/payment'
export const X402_RESPONSE = 'x402/payment-response'

/** Signs what the offer of a result asks for with the official x402 client. */
export function signX402({ structuredContent }: ToolResult, settings: PaySettings, key: Hex): Promise<PaymentPayload> {
  return x402ClientOf(settings, key).createPaymentPayload(structuredContent as unknown as PaymentRequired)
}

/** Pays by x402 as its MCP transport describes: the offer is the content of an error, the payment goes into `_meta`. */
export function callByX402(client: ToolClient, settings: PaySettings, key: Hex = payerKey(1)): Call {
  return async (name, args = {}) => {
    const offer = await callOf(client)(name, args)
    if (!offer.isError || !('accepts' in (offer.structuredContent ?? {}))) return offer
    const payment = await signX402(offer, settings, key)
    return (await client.callTool({ name, arguments: args, _meta: { [X402_PAYMENT]: payment } })) as ToolResult
  }
}

/** Text of a result. */
export function textOf({ content }: ToolResult): string {
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}
