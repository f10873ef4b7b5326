import { BadRequest } from '../../api/http/errors.ts'
import { parseQuery, type QueryText, UNREADABLE } from '../../api/http/query-string.ts'
import type { Input } from './input.ts'
import type { Inputs, Operation } from './operation.ts'

/**
 * Inputs of a paid request, by the binding rules of the key surface (docs/rules.md R1) with the bounds of this one: what lies outside
 * is refused, and a refusal costs nothing.
 */
export function bindInputs(operation: Operation, params: Record<string, string>, search: string): Inputs {
  const inputs: Inputs = {}
  for (const [name, input] of Object.entries(operation.params))
    inputs[name] = readText(name, input, checkText(params[name] ?? ''))
  const query = parseQuery(search)
  for (const [name, input] of Object.entries(operation.query)) {
    const value = readQuery(name, input, query.get(name))
    if (value !== undefined) inputs[name] = value
  }
  return inputs
}

function readQuery(name: string, input: Input, text: QueryText | undefined): string | undefined {
  // An empty value means "not given", except that a flag is off, a list is wrong and a required one is missing.
  if (text === undefined || (text === '' && !input.isList)) {
    if (input.required) throw new BadRequest(`${name} is required`, name)
    return text === '' && input.schema.type === 'boolean' ? 'false' : input.default
  }
  return readText(name, input, text)
}

function readText(name: string, input: Input, text: QueryText): string {
  const value = text === UNREADABLE ? undefined : input.read(text)
  if (value === undefined) throw new BadRequest(`${name} ${text === UNREADABLE ? 'is not valid text' : input.rule}`, name)
  return value
}

const checkText = (text: string): QueryText => (text.includes('\0') ? UNREADABLE : text)
