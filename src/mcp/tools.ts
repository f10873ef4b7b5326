import { CATALOG } from '../operations/catalog.ts'
import type { JsonSchema } from '../operations/describe-input.ts'
import { type Operation, TIER_USD } from '../operations/operation.ts'
import { inlineRecords } from '../operations/records.ts'
import { describeArguments, type ObjectSchema } from './describe-arguments.ts'
import { GUIDANCE } from './guidance.ts'

export type ToolDescription = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: { readOnlyHint: true; openWorldHint: false }
}

/** Structured results are objects; a list stands in this field of one. */
export const LIST_FIELD = 'items'
/** Field of an answer that is one number or text. */
export const VALUE_FIELD = 'value'

/** The catalogue as tools, on the surface where calls are free or charged to a key, or on the one where each is paid for. */
export function describeTools(isPaid: boolean): ToolDescription[] {
  return CATALOG.map((operation) => ({
    name: operation.id,
    title: operation.summary.replace(/; 204 .*$/, ''),
    description: describe(operation, isPaid),
    inputSchema: describeArguments(operation),
    outputSchema: describeOutput(operation, isPaid),
    annotations: { readOnlyHint: true, openWorldHint: false },
  }))
}

function describe({ id, path, tier, isEmptyAnswer }: Operation, isPaid: boolean): string {
  const { when, gives } = GUIDANCE[id]!
  return [
    `Use it ${when}. Gives ${gives} (Celestia, GET ${path}).`,
    ...(isEmptyAnswer ? ['Empty when nothing is known.'] : []),
    ...(isPaid ? [`Costs ${Number(TIER_USD[tier])} USD; errors cost nothing.`] : []),
  ].join(' ')
}

/**
 * A demand for payment is a structured result too, and clients check it against the same schema: nothing is required where calls
 * are paid for.
 */
function describeOutput({ answer }: Operation, isPaid: boolean): ObjectSchema {
  const schema = inlineRecords(answer.schema) as JsonSchema
  if (schema.type !== 'array') return schema as ObjectSchema
  return { type: 'object', properties: { [LIST_FIELD]: schema }, ...(isPaid ? {} : { required: [LIST_FIELD] }) }
}
