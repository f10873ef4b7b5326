import { meaningOf } from '../api/input-meanings.ts'
import { describeInputs, type JsonSchema } from '../operations/describe-input.ts'
import { LATEST } from '../operations/latest.ts'
import type { Operation } from '../operations/operation.ts'

/** `type` is fixed by the protocol: arguments and structured results are objects. */
export type ObjectSchema = { type: 'object'; [keyword: string]: unknown }

/** Inputs that take an ISO date or time beside unix seconds. */
export const TIMES: ReadonlySet<string> = new Set(['from', 'to', 'at'])

/** Schema of the arguments of an operation. */
export function describeArguments({ params, query, label }: Pick<Operation, 'params' | 'query' | 'label'>): ObjectSchema {
  const noun = label.toLowerCase().replace(/(?:e(?=ses))?s$/, '')
  const inputs = describeInputs({ ...params, ...query })
  const required = inputs.flatMap((input) => (input.required ? [input.name] : []))
  const properties = inputs.map(({ name, schema, description = meaningOf(name, noun) }) => [
    name,
    describeArgument(name, schema, description),
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

function describeArgument(name: string, schema: JsonSchema, description: string | undefined): JsonSchema {
  if (name === 'height' && schema.type === 'integer')
    return {
      anyOf: [schema, { type: 'string', enum: [LATEST] }],
      description: `${description ?? 'block height'}, or "${LATEST}"`,
    }
  if (TIMES.has(name) && schema.type === 'integer')
    return { anyOf: [schema, { type: 'string' }], description: `${description ?? 'unix seconds'}, or an ISO date or time (UTC)` }
  return { ...schema, ...(description === undefined ? {} : { description }) }
}
