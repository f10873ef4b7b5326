import { type ForSale, LABELS, ROWS_PER_PRICE } from '../../operations/operation.ts'
import type { PaySettings } from '../settings.ts'

export const TITLE = 'Astrolabe pay-per-request API'

/** How to buy here, in a few sentences. */
export function describeUse({ chargeNoContent, challengeTtlS }: PaySettings): string {
  return [
    'Indexed data of the Celestia chain, sold per request: no account, no API key. Send GET; a 402 names the price and how to pay it',
    '(MPP challenge in WWW-Authenticate, x402 version 2 offer in PAYMENT-REQUIRED); repeat the same request with the payment.',
    `Only 2xx answers are charged${chargeNoContent ? ', including 204 for an unknown address' : '; 204 for an unknown address is free'};`,
    '400, 404 and 5xx are free.',
    'Repeat with the same credential after 409 or 503, never with a new one.',
    `Repeating an answered request with the same credential is free for ${challengeTtlS} seconds; with an Idempotency-Key header`,
    '(or the x402 payment-identifier) also with a new one.',
  ].join(' ')
}

function describeItem({ method, path, query, headers = {}, usd, rowsOf, summary }: ForSale): string {
  const [names, texts] = [Object.keys(query), Object.keys(headers)]
  const inputs = names.length > 0 ? ` Query: ${names.join(', ')}.` : ''
  const optional = texts.length > 0 ? ` Header to renew a key: ${texts.join(', ')}.` : ''
  return `- ${method} ${path} (USD ${usd}${rowsOf ? ` per ${ROWS_PER_PRICE} rows` : ''}): ${summary}.${inputs}${optional}`
}

/** The catalogue as a page for language models (llms.txt). */
export function describeForModels(settings: PaySettings, items: readonly ForSale[]): string {
  const { baseUrl, methods, evm, tempo } = settings
  const networks = methods.map((method) =>
    method === 'evm'
      ? `- MPP method evm, intent charge; x402 scheme exact (EIP-3009): chain ${evm?.chainId}, token ${evm?.token}`
      : `- MPP method tempo, intent charge (signed transaction, sent by the server): chain ${tempo?.chainId}, token ${tempo?.token}`,
  )
  const sections = [...new Set([...LABELS, ...items.map(({ label }) => label)])].map((label) => {
    const lines = items.filter((item) => item.label === label).map(describeItem)
    return `## ${label}\n\n${lines.join('\n')}`
  })
  return [
    `# ${TITLE}`,
    `> ${describeUse(settings)}`,
    `Base address: ${baseUrl}\nMachine description: ${baseUrl}/openapi.json\nTools for agents (Model Context Protocol, Streamable HTTP): ${baseUrl}/mcp`,
    `## Payment\n\n${networks.join('\n')}`,
    ...sections,
    '',
  ].join('\n\n')
}
