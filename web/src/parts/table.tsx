import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { markEnds } from '../use-current-in-view.ts'
import { Empty } from './panels.tsx'

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
    const unmark = markEnds(element)
    return () => {
      observer.disconnect()
      unmark()
    }
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
