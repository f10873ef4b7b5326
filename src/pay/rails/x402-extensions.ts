import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from '@x402/extensions/payment-identifier'
import { describeInputs, type JsonSchema } from '../../operations/describe-input.ts'
import type { ForSale } from '../../operations/operation.ts'

type Extensions = Record<string, unknown>

/** Inputs and outputs of an operation, and that clients may name their payments: short for a header, and in full. */
export function describeForRegistries(operation: ForSale): { brief: Extensions; full: Extensions } {
  const { method, params, query, answer } = operation
  // Requests with a body are described by it, and those of plans have none.
  const body = method === 'POST' ? { bodyType: 'json' } : {}
  const full: Extensions = {
    ...declareDiscoveryExtension({
      inputSchema: toSchema(query),
      input: toExample(query),
      ...(Object.keys(params).length > 0 ? { pathParamsSchema: { properties: toSchema(params).properties } } : {}),
      // Without a type registries take an answer for an object.
      output: { example: answer.example, ...(isObject(answer.example) ? {} : { schema: { type: answer.schema.type } }) },
      method,
      ...body,
    } as unknown as Parameters<typeof declareDiscoveryExtension>[0]),
    [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(false),
  }
  return { brief: withoutDialect(full) as Extensions, full }
}

/** Which dialect of JSON schema it is goes without saying, and takes a twentieth of the header. */
function withoutDialect(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (name === '$schema' ? [] : [[name, withoutDialect(inner)]])),
  )
}

/** Descriptions are left to /openapi.json: these schemas travel in a header. */
function toSchema(inputs: ForSale['query']): { properties: Record<string, unknown>; required?: string[] } {
  const described = describeInputs(inputs)
  const required = described.flatMap((input) => (input.required ? [input.name] : []))
  return {
    properties: Object.fromEntries(described.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** Registries check the schema against an example; only required inputs have to stand in it. */
function toExample(inputs: ForSale['query']): Record<string, unknown> {
  return Object.fromEntries(
    describeInputs(inputs).flatMap(({ name, required, schema, example }) =>
      required ? [[name, example ?? sampleOf(schema)]] : [],
    ),
  )
}

const isObject = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value)

function sampleOf({ type, enum: values }: JsonSchema): unknown {
  if (Array.isArray(values)) return values[0]
  return type === 'integer' || type === 'number' ? 1 : 'x'
}
