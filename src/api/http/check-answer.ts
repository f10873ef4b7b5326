import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Invariant } from '../../lib/errors.ts'
import type { Route } from '../collect-routes.ts'

type Checker = { Check(value: unknown): boolean; Errors(value: unknown): object[] }
const checkers = new WeakMap<TSchema, Checker>()

/** Throws when an answer is not what its route declares. */
export function checkAnswer(route: Route, text: string): void {
  const schema = route.schema.response[200]
  let checker = checkers.get(schema)
  if (!checker) checkers.set(schema, (checker = Compile(schema) as unknown as Checker))
  const value: unknown = JSON.parse(text)
  if (checker.Check(value)) return
  const errors = checker.Errors(value)
  throw new Invariant('answer_schema', `${route.path} breaks its schema: ${JSON.stringify(errors[0])} in ${text.slice(0, 300)}`)
}
