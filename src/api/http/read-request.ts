import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { BadRequest } from './errors.ts'
import { parseQuery, type QueryText } from './query-string.ts'

/** The query of an address, by the rules of all queries. */
export function queryOf({ url }: { url: string }): Map<string, QueryText> {
  const mark = url.indexOf('?')
  return parseQuery(mark < 0 ? '' : url.slice(mark + 1))
}

/** Reader of bodies with lists and objects inside, which the binder of flat bodies does not know. */
export function createBodyReader<S extends TSchema>(schema: S): (body: unknown) => Static<S> {
  const check = Compile(schema)
  return (body) => {
    if (check.Check(body)) return body as Static<S>
    const [error] = check.Errors(body)
    const place = (error?.instancePath ?? '').slice(1).replaceAll('/', '.') || 'body'
    // A closed object says of a field that it has not: "schema is false".
    const what = error?.keyword === 'boolean' ? 'is not known' : (error?.message ?? 'is not valid')
    throw new BadRequest(`${place} ${what}`, place, 'invalid_body')
  }
}
