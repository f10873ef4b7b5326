import type { ComponentChildren } from 'preact'
import type { Loaded } from '../use-load.ts'
import { Await } from './blocks.tsx'
import { PAGE_ROWS, Pager } from './table.tsx'

type PagedProps<T> = {
  loaded: Loaded<T[]>
  page: number
  empty: ComponentChildren
  children: (rows: T[]) => ComponentChildren
}

/** Pages of something that is not a table. */
export function Paged<T>({ loaded, page, empty, children }: PagedProps<T>) {
  return (
    <Await loaded={loaded} rows={8} missing={empty}>
      {(rows) => (
        <>
          {rows.length === 0 ? empty : children(rows.slice(0, PAGE_ROWS))}
          <Pager page={page} hasMore={rows.length > PAGE_ROWS} />
        </>
      )}
    </Await>
  )
}
