import { type TObject, type TSchema, Type } from 'typebox'
import { csvLine } from '../../lib/encoding/csv.ts'
import { ROW_FORMS, type RowForm } from '../http/accept.ts'
import { type Bound, compileQuery } from '../http/bind.ts'
import type { QueryText } from '../http/query-string.ts'
import { writeJson } from '../http/write-json.ts'
import type { RouteSchema } from '../route.ts'
import { linesOf } from './columns.ts'

/** Rows of a list as lines of text, behind a line of names where there is one. */
export type RowWriter = { contentType: string; head: string; row: (row: unknown) => string }

/** A list that no page can cut, written while it is sent. */
export async function* streamRows(rows: AsyncIterable<unknown>, { head, row }: RowWriter): AsyncGenerator<string> {
  yield head
  for await (const value of rows) yield row(value)
}

/** Writers of a list in other forms than JSON. */
export type ListForms = Record<RowForm, RowWriter> & {
  /** rows of one page: as many as the list gives at once; undefined where it has no pages */
  pageRows: number | undefined
  /** `limit` may be any number: the answer is sent page by page */
  bindQuery: (query: Map<string, QueryText>) => Bound
}

/** Undefined for routes that are no lists. */
export function listFormsOf({ response, querystring }: RouteSchema): ListForms | undefined {
  const { type, items } = response[200] as { type?: string; items?: TSchema }
  if (type !== 'array' || items === undefined) return undefined
  const { columns, elementsOf } = linesOf(items)
  const pageRows = pageRowsOf(querystring)
  return {
    csv: {
      contentType: `${ROW_FORMS.csv}; charset=utf-8`,
      head: csvLine(columns.map(({ name }) => name)),
      row: (row) =>
        elementsOf(row)
          .map((element) => csvLine(columns.map(({ read }) => read(row, element))))
          .join(''),
    },
    ndjson: { contentType: ROW_FORMS.ndjson, head: '', row: (row) => writeJson(row) },
    pageRows,
    bindQuery: compileQuery(pageRows === undefined ? querystring : withAnyLimit(querystring!)),
  }
}

/** A list that takes no offset cannot be continued: it is one page, as long as ever. */
function pageRowsOf(querystring: TObject | undefined): number | undefined {
  const { limit, offset } = querystring?.properties ?? {}
  return offset && (limit as { maximum?: number } | undefined)?.maximum
}

function withAnyLimit(querystring: TObject): TObject {
  const { maximum: _, clamp: __, ...limit } = querystring.properties.limit as TSchema & { maximum?: number; clamp?: number }
  return Type.Object({ ...querystring.properties, limit: { ...limit, clamp: Number.MAX_SAFE_INTEGER } as TSchema })
}
