import type { Route } from './collect-routes.ts'
import { Missing } from './http/errors.ts'
import { ANYONE, LongList, WithHeaders, WithWork } from './route.ts'

type Values = Record<string, unknown>

/** Inputs as the handler takes them, not as texts; what is left out has the default of its schema. */
export type CallInputs = { params?: Values; query?: Values; body?: Values }

/**
 * Calls the handler of a route by value, for surfaces that make answers of their own from it. Undefined means that nothing is there. Which
 * head it saw is for the caller to watch.
 */
export async function callRoute(route: Route, { params = {}, query = {}, body = {} }: CallInputs = {}): Promise<unknown> {
  try {
    return await unwrap(await route.handle({ params, query: { ...defaultsOf(route), ...query }, body, client: ANYONE }))
  } catch (error) {
    if (error instanceof Missing) return undefined
    throw error
  }
}

function unwrap(result: unknown): unknown {
  if (result instanceof WithHeaders || result instanceof WithWork) return unwrap(result.value)
  return result instanceof LongList ? readAll(result) : result
}

async function readAll(list: LongList<unknown>): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const row of list.rows()) rows.push(row)
  return rows
}

const defaults = new WeakMap<object, Values>()

function defaultsOf({ schema }: Route): Values {
  const { querystring } = schema
  if (!querystring) return {}
  let known = defaults.get(querystring)
  if (!known) {
    const given = Object.entries(querystring.properties).map(([name, input]) => [name, (input as { default?: unknown }).default])
    known = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Values
    defaults.set(querystring, known)
  }
  return known
}
