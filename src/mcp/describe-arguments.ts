import { meaningOf } from '../api/input-meanings.ts'
import { describeInputs, type JsonSchema } from '../operations/describe-input.ts'
import { LATEST } from '../operations/latest.ts'
import type { ForSale } from '../operations/operation.ts'

/** `type` is fixed by the protocol: arguments and structured results are objects. */
export type ObjectSchema = { type: 'object'; [keyword: string]: unknown }

type Described = Pick<ForSale, 'params' | 'query' | 'headers' | 'label'>

/** Schema of the arguments of an operation. */
export function describeArguments({ params, query, headers, label }: Described): ObjectSchema {
  const noun = label.toLowerCase().replace(/(?:e(?=ses))?s$/, '')
  const given = { ...params, ...query, ...headers }
  const inputs = describeInputs(given)
  const required = inputs.flatMap((input) => (input.required ? [input.name] : []))
  const properties = inputs.map(({ name, schema, description = meaningOf(name, noun) }) => [
    name,
    {
      ...describeArgument(name, schema, 'takesTimes' in given[name]!),
      ...(description === undefined ? {} : { description: withLatest(name, description) }),
    },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

const withLatest = (name: string, description: string): string =>
  name === 'height' ? `${description}, or "${LATEST}"` : description

/** Heights and times may be given as texts, too. */
function describeArgument(name: string, schema: JsonSchema, takesTimes: boolean): JsonSchema {
  if (schema.type !== 'integer') return schema
  if (name === 'height') return { anyOf: [schema, { type: 'string', enum: [LATEST] }] }
  return takesTimes ? { anyOf: [schema, { type: 'string' }] } : schema
}
