import { withNumberFormat } from '../../api/number-format.ts'
import { describeInputs as describeEach } from '../../operations/describe-input.ts'
import { type ForSale, LABELS, type Label, ROWS_PER_PRICE } from '../../operations/operation.ts'
import { SCHEMAS } from '../../operations/records.ts'
import { toAtomic } from '../sale/offers.ts'
import type { PaySettings } from '../settings.ts'
import { describeUse, TITLE } from './llms.ts'

const VERSION = '1.0.0'

/** Description of the paid surface (OpenAPI 3.1). Crawlers stop at 64 KB, so it names declared fields only. */
export function describeApi(settings: PaySettings, items: readonly ForSale[]): Record<string, unknown> {
  const { baseUrl, contactEmail, docsUrl } = settings
  const guidance = describeUse(settings)
  const paths: Record<string, unknown> = {}
  for (const item of items) paths[item.path] = { [item.method.toLowerCase()]: describeItem(item, settings) }
  const labels = new Set([...LABELS, ...items.map(({ label }) => label)])
  return {
    openapi: '3.1.0',
    info: {
      title: TITLE,
      version: VERSION,
      description: guidance,
      'x-guidance': guidance,
      ...(contactEmail === undefined ? {} : { contact: { email: contactEmail } }),
    },
    servers: [{ url: baseUrl }],
    tags: [...labels].map((name) => ({ name, ...(name in ABOUT && { description: ABOUT[name as Label] }) })),
    'x-service-info': {
      categories: ['data', 'blockchain'],
      docs: { homepage: docsUrl ?? baseUrl, apiReference: `${baseUrl}/openapi.json`, llms: `${baseUrl}/llms.txt` },
    },
    'x-agentcash-guidance': { llmsTxtUrl: `${baseUrl}/llms.txt` },
    paths,
    components: { schemas: { ...SCHEMAS, Problem: PROBLEM }, responses: RESPONSES },
  }
}

function describeItem(item: ForSale, settings: PaySettings): Record<string, unknown> {
  const { id, summary, label, params, query, headers = {}, answer, isEmptyAnswer } = item
  if (item.isBrief) return describeBriefly(item, settings)
  const parameters = [...describeInputs(params, 'path'), ...describeInputs(query, 'query'), ...describeInputs(headers, 'header')]
  return {
    operationId: id,
    summary,
    tags: [label],
    security: [],
    'x-payment-info': describePayment(item, settings),
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: {
      200: { description: summary, content: { 'application/json': { schema: answer.schema, example: answer.example } } },
      ...(isEmptyAnswer ? { 204: { description: settings.chargeNoContent ? CHARGED_EMPTY : FREE_EMPTY } } : {}),
      402: { $ref: '#/components/responses/PaymentRequired' },
      400: { $ref: '#/components/responses/BadRequest' },
      ...(isEmptyAnswer ? {} : { 404: { $ref: '#/components/responses/NotFound' } }),
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

/** The key surface describes these inputs and answers in full: here they take as little of the 64 KB as they can. */
function describeBriefly(item: ForSale, settings: PaySettings): Record<string, unknown> {
  const { id, summary, label, params, query, answer } = item
  const inputs = [...describeInputs(params, 'path'), ...describeInputs(query, 'query')]
  const parameters = inputs.map(({ name, in: place, required, schema: { type, enum: values, maximum } }) => ({
    name,
    in: place,
    ...(required && { required }),
    schema: { type, ...(values !== undefined && { enum: values }), ...(maximum !== undefined && { maximum }) },
  }))
  const { price, protocols } = describePayment(item, settings)
  return {
    operationId: id,
    summary,
    tags: [label],
    security: [],
    'x-payment-info': { price, protocols },
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: {
      200: { $ref: `#/components/responses/${FOUND[String(answer.schema.type)] ?? 'Found'}` },
      402: { $ref: '#/components/responses/PaymentRequired' },
    },
  }
}

function describeInputs(inputs: ForSale['query'], place: 'path' | 'query' | 'header') {
  return describeEach(inputs).map(({ name, required, schema, description }) => ({
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    schema: withNumberFormat(schema),
  }))
}

/** The price list's own price object, and beside it what the two protocols look for. */
function describePayment({ usd, rowsOf, summary }: ForSale, { methods, evm, tempo }: PaySettings): Record<string, unknown> {
  const currencyOf = (method: 'evm' | 'tempo') => (method === 'evm' ? evm?.token : tempo?.token)
  return {
    price: { mode: 'fixed', currency: 'USD', amount: usd, ...(rowsOf && { per_rows: ROWS_PER_PRICE }) },
    protocols: [
      ...methods.map((method) => ({ mpp: { method, intent: 'charge', currency: currencyOf(method) } })),
      ...(methods.includes('evm') ? [{ x402: {} }] : []),
    ],
    offers: methods.map((method) => ({
      intent: 'charge',
      method,
      amount: toAtomic(usd).toString(),
      currency: currencyOf(method),
      description: summary,
    })),
  }
}

const ABOUT: Record<Label, string> = {
  State: 'Head of the index and constants of the network',
  Blocks: 'Blocks and their statistics',
  Addresses: 'Accounts with balances and transactions',
  Transactions: 'Transactions and their messages',
  Blobs: 'Blobs by namespace, signer and time',
  Namespaces: 'Namespaces and their blobs',
  Validators: 'Validators by stake',
  Rollups: 'Rollups by what they post',
  Search: 'Anything by hash, address or identifier',
  Statistics: 'Throughput, time series and the price of the token',
}

const CHARGED_EMPTY = 'Unknown address. An answer like any other: it is charged and carries a receipt'
const FREE_EMPTY = 'Unknown address; not charged'

const PROBLEM = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer', format: 'int32' },
    detail: { type: 'string' },
  },
}

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const found = (schema: object) => ({ description: 'found', content: { 'application/json': { schema } } })

/** Answers of operations that are described briefly. */
const FOUND: Record<string, string> = { array: 'FoundList', object: 'FoundObject' }

const RESPONSES = {
  Found: found({}),
  FoundObject: found({ type: 'object' }),
  FoundList: found({ type: 'array', items: { type: 'object' } }),
  PaymentRequired: {
    ...problem('Payment Required: pay by one of the offers and repeat the request'),
    headers: {
      'WWW-Authenticate': { description: 'Payment challenge', schema: { type: 'string' } },
      'PAYMENT-REQUIRED': { description: 'x402 offer, base64 of JSON', schema: { type: 'string' } },
    },
  },
  BadRequest: problem('Bad input; not charged'),
  NotFound: problem('Unknown record; not charged'),
  Problem: problem('No answer; not charged'),
}
