import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Operations } from '../../../src/client/gen/operations.ts'
import { addressOf, api, askPatiently } from '../api.ts'
import { saveFile } from '../save-file.ts'
import { useLoad } from '../use-load.ts'
import { announce } from './announcer.tsx'
import { type Filter, Filters, readFilters, toInputs } from './filters.tsx'
import { PAGE_ROWS, Pager, pageOf, readPage } from './pager.tsx'
import { Await, Empty } from './panels.tsx'
import { type Column, Table } from './table.tsx'

type Input = Record<string, string | number | boolean | undefined>

/** Operations that answer a list, and the rows of each. */
export type ListOperation = {
  [K in keyof Operations]: NonNullable<Operations[K]['answer']> extends readonly object[] ? K : never
}[keyof Operations]
export type RowOf<K extends ListOperation> =
  NonNullable<Operations[K]['answer']> extends readonly (infer R extends object)[] ? R : never

type PagesProps<K extends ListOperation> = {
  /** what the list holds */
  caption: string
  operation: K
  /** inputs that the place itself fixes */
  input?: Input
  filters?: readonly Filter[]
  query: URLSearchParams
  empty?: ComponentChildren
  /** a change of it loads the first page again */
  refresh?: string | number
}

export type ListingProps<K extends ListOperation> = PagesProps<K> & {
  columns: Column<RowOf<K>>[]
  keyOf: (row: RowOf<K>, index: number) => string | number
}

/** A list of the API as a table. */
export function Listing<K extends ListOperation>({ columns, keyOf, ...list }: ListingProps<K>) {
  return <Pages {...list}>{(rows) => <Table caption={list.caption} columns={columns} rows={rows} keyOf={keyOf} />}</Pages>
}

/** A list of the API in any form: its filters, its rows by pages, and the same as JSON and CSV. */
export function Pages<K extends ListOperation>({
  caption,
  operation,
  input = {},
  filters = [],
  query,
  empty = 'Nothing yet.',
  refresh = '',
  children,
}: PagesProps<K> & { children: (rows: RowOf<K>[]) => ComponentChildren }) {
  const page = readPage(query)
  const values = readFilters(filters, query)
  const narrowed = { ...input, ...toInputs(filters, values) }
  const load = (paging: Input, signal?: AbortSignal) => call(operation, { ...narrowed, ...paging }, signal)
  const loaded = useLoad(
    (signal) => load(pageOf(page), signal),
    `${operation} ${JSON.stringify(narrowed)} ${page}`,
    page === 1 ? refresh : '',
  )
  return (
    <>
      <Filters filters={filters} values={values} of={caption} />
      <Await loaded={loaded} rows={PAGE_ROWS} missing={empty}>
        {(rows) => (
          <>
            {rows.length === 0 ? <Empty>{empty}</Empty> : children(rows.slice(0, PAGE_ROWS))}
            <Pager page={page} hasMore={rows.length > PAGE_ROWS} of={caption} />
            <Exports
              name={operation}
              json={addressOf(operation, { ...narrowed, limit: 100 })}
              csv={addressOf(operation, { ...narrowed, limit: MOST_CSV_ROWS })}
            />
          </>
        )}
      </Await>
    </>
  )
}

/** The types of inputs and rows belong together by construction; the compiler cannot follow the choice of the operation. */
const call = async <K extends ListOperation>(operation: K, input: Input, signal?: AbortSignal): Promise<RowOf<K>[]> => {
  const ask = api[operation] as (input: Input, options: { signal?: AbortSignal }) => Promise<unknown>
  return ((await ask(input, signal ? { signal } : {})) ?? []) as RowOf<K>[]
}

/** Rows that the burst of the free plan pays for. */
const MOST_CSV_ROWS = 5000

type ExportsProps = { name: string; json: string; csv: string }

function Exports({ name, json, csv }: ExportsProps) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const response = await askPatiently(csv, { headers: { accept: 'text/csv' } })
      if (!response.ok) throw new Error(response.statusText)
      saveFile(`${name}.csv`, await response.blob())
      announce('The rows are saved')
    } catch {
      announce('The rows could not be loaded')
    } finally {
      setBusy(false)
    }
  }
  return (
    <p class="exports">
      <a href={json}>JSON</a>
      <button type="button" class="quiet" onClick={save} disabled={isBusy} title="At most 5,000 rows">
        {isBusy ? 'Loading…' : 'CSV'}
      </button>
    </p>
  )
}
