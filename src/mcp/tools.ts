import { describeInputs as describeEach, type JsonSchema } from '../operations/describe-input.ts'
import { type ForSale, ROWS_PER_PRICE } from '../operations/operation.ts'
import { inlineRecords } from '../operations/records.ts'

/** `type` is fixed by the protocol: arguments and structured results are objects. */
type ObjectSchema = { type: 'object'; [keyword: string]: unknown }

export type ToolDescription = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: { readOnlyHint: boolean; openWorldHint: false }
}

/** Structured results are objects; a list, or a text or number alone, stands in a field of one. */
export const LIST_FIELD = 'items'
export const VALUE_FIELD = 'value'

/** What is offered as tools, on the surface where calls are free or charged to a key, or on the one where each is paid for. */
export function describeTools(items: readonly ForSale[], isPaid: boolean): ToolDescription[] {
  return items.map((operation) => ({
    name: operation.id,
    title: operation.summary,
    description: describe(operation, isPaid),
    inputSchema: describeInputs(operation),
    outputSchema: describeOutput(operation, isPaid),
    annotations: { readOnlyHint: operation.method === 'GET', openWorldHint: false },
  }))
}

function describe({ summary, method, path, usd, rowsOf, isEmptyAnswer }: ForSale, isPaid: boolean): string {
  return [
    // The meaning of an HTTP status is put into words here.
    `${isEmptyAnswer ? summary.replace(/; 204 .*$/, '') : summary} (Celestia, ${method} ${path}).`,
    ...(isEmptyAnswer ? ['Empty when nothing is known.'] : []),
    ...(isPaid ? [`Costs ${Number(usd)} USD${rowsOf ? ` per ${ROWS_PER_PRICE} rows` : ''}; errors cost nothing.`] : []),
  ].join(' ')
}

function describeInputs({ params, query, headers }: ForSale): ObjectSchema {
  const inputs = describeEach({ ...params, ...query, ...headers })
  const required = inputs.flatMap((input) => (input.required ? [input.name] : []))
  const properties = inputs.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

/**
 * A demand for payment is a structured result too, and clients check it against the same schema: nothing is required where calls
 * are paid for.
 */
function describeOutput({ answer }: ForSale, isPaid: boolean): ObjectSchema {
  const schema = inlineRecords(answer.schema) as JsonSchema
  if (schema.type === 'object') return schema as ObjectSchema
  const field = schema.type === 'array' ? LIST_FIELD : VALUE_FIELD
  return { type: 'object', properties: { [field]: schema }, ...(isPaid ? {} : { required: [field] }) }
}
