import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { linkHere } from '../router.ts'
import type { Loaded } from '../use-load.ts'
import { Await, Empty } from './blocks.tsx'
import { LeftIcon, RightIcon } from './icons.tsx'

export type Column<T> = {
  title: string
  cell: (row: T, index: number) => ComponentChildren
  /** numbers stand at the right */
  end?: boolean
  /** left out where there is little room */
  wide?: boolean
}

type TableProps<T> = {
  caption: string
  columns: Column<T>[]
  rows: readonly T[]
  keyOf: (row: T, index: number) => string | number
  empty?: ComponentChildren
  /** marks rows that just came */
  isNew?: (row: T) => boolean
}

/** Whether the content is wider than its room: then it scrolls, and must be reachable by keyboard. */
function useOverflow() {
  const room = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const element = room.current
    if (!element) return
    const observer = new ResizeObserver(() => setOver(element.scrollWidth > element.clientWidth))
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return [room, isOver] as const
}

export function Table<T>({ caption, columns, rows, keyOf, empty = 'Nothing yet.', isNew }: TableProps<T>) {
  const [room, isOver] = useOverflow()
  if (rows.length === 0) return <Empty>{empty}</Empty>
  const classOf = ({ end, wide }: Column<T>) => [end && 'end', wide && 'wide'].filter(Boolean).join(' ') || undefined
  return (
    <div class="table-room" ref={room} {...(isOver && { role: 'region', 'aria-label': caption, tabIndex: 0 })}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)} class={isNew?.(row) ? 'new' : undefined}>
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)}>
                  {column.cell(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export const PAGE_ROWS = 20

/** Asks for one row more than is shown: that tells whether there is a next page. */
export const pageOf = (page: number) => ({ limit: PAGE_ROWS + 1, offset: (page - 1) * PAGE_ROWS })

export function readPage(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

type PagedProps<T> = Omit<TableProps<T>, 'rows'> & { loaded: Loaded<T[]>; page: number }

/** A table of which `pageOf` loads the rows. */
export function PagedTable<T>({ loaded, page, ...table }: PagedProps<T>) {
  return (
    <Await loaded={loaded} rows={8} missing={table.empty}>
      {(rows) => (
        <>
          <Table {...table} rows={rows.slice(0, PAGE_ROWS)} />
          <Pager page={page} hasMore={rows.length > PAGE_ROWS} />
        </>
      )}
    </Await>
  )
}

/** The next page is read from its top. */
function toTop(event: { currentTarget: Element }): void {
  const panel = event.currentTarget.closest('.panel')
  if (panel && panel.getBoundingClientRect().top < 0) panel.scrollIntoView()
}

export function Pager({ page, hasMore }: { page: number; hasMore: boolean }) {
  if (page === 1 && !hasMore) return null
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 ? (
        <a class="button" href={linkHere({ page: page > 2 ? page - 1 : undefined })} rel="prev" onClick={toTop}>
          <LeftIcon /> Back
        </a>
      ) : (
        <span />
      )}
      <span class="muted">Page {page}</span>
      {hasMore ? (
        <a class="button" href={linkHere({ page: page + 1 })} rel="next" onClick={toTop}>
          More <RightIcon />
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}
