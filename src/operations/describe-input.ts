import { type TProperties, type TSchema, Type } from 'typebox'

/** JSON schema as the descriptions show it. */
export type JsonSchema = Record<string, unknown>

export type DescribedInput = { name: string; required: boolean; schema: JsonSchema; description?: string; example?: unknown }

/** Keywords shown in a description. Patterns are left out: these schemas travel in a header of 3.5 KB. */
const SHOWN = ['type', 'enum', 'minimum', 'maximum', 'minLength', 'default'] as const

export function describeInputs(inputs: TProperties): DescribedInput[] {
  const { required = [] } = Type.Object(inputs) as { required?: string[] }
  return Object.entries(inputs).map(([name, input]) => {
    const {
      description,
      examples,
      default: byDefault,
    } = input as TSchema & { description?: string; examples?: unknown[] } & JsonSchema
    return {
      name,
      required: required.includes(name) && byDefault === undefined,
      schema: describe(input),
      ...(description === undefined ? {} : { description }),
      ...(examples ? { example: examples[0] } : {}),
    }
  })
}

function describe(input: TSchema): JsonSchema {
  const all = input as JsonSchema
  // A list is one text, separated by commas.
  if (all.type === 'array') return { type: 'string' }
  const shown = Object.fromEntries(SHOWN.flatMap((keyword) => (all[keyword] === undefined ? [] : [[keyword, all[keyword]]])))
  return { type: 'string', ...shown, ...(isZeroAbsent(all) ? { minimum: 0 } : {}) }
}

/** The binder reads 0 as "not given" where it is no value and may be left out. */
const isZeroAbsent = (input: JsonSchema): boolean => '~optional' in input && (input.minimum as number) > 0 && !input.takesNoZero
