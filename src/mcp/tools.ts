import type { JsonSchema } from '../operations/describe-input.ts'
import type { ForSale } from '../operations/operation.ts'
import { inlineRecords } from '../operations/records.ts'
import { describeArguments, type ObjectSchema } from './describe-arguments.ts'
import { GUIDANCE } from './guidance.ts'

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
    title: operation.summary.replace(/; 204 .*$/, ''),
    description: describe(operation, isPaid),
    inputSchema: describeArguments(operation),
    outputSchema: describeOutput(operation, isPaid),
    annotations: { readOnlyHint: operation.method === 'GET', openWorldHint: false },
  }))
}

function describe({ id, summary, method, path, usd, isEmptyAnswer }: ForSale, isPaid: boolean): string {
  const { when, gives } = GUIDANCE[id] ?? {}
  return [
    `${when === undefined ? summary : `Use it ${when}. Gives ${gives}`} (Celestia, ${method} ${path}).`,
    ...(isEmptyAnswer ? ['Empty when nothing is known.'] : []),
    ...(isPaid ? [`Costs ${Number(usd)} USD; errors cost nothing.`] : []),
  ].join(' ')
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
