import { setImmediate } from 'node:timers/promises'
import { writeJson } from '../http/write-json.ts'
import type { LongList } from '../route.ts'

/** A page ends with the row that makes it longer than this. */
export const LIST_BYTES = 4 * 2 ** 20
/** Other requests get their turn after so much time. */
const TURN_MS = 10

export type WrittenList = { text: string; count: number; last: unknown }

/** How rows become the text of a list. */
export type ListStyle = { row: (row: unknown) => string; wrap: (rows: string[]) => string }

/** Writes the rows of a list until the page is full or long enough; at least one, so that every next page gets further. */
export async function writeList(list: LongList<unknown>, style: ListStyle, maxLength = LIST_BYTES): Promise<WrittenList> {
  const texts: string[] = []
  let length = 0
  let last: unknown
  let turn = performance.now()
  for await (const row of list.rows()) {
    const text = style.row(row)
    texts.push(text)
    length += text.length
    last = row
    if (length >= maxLength) break
    if (performance.now() - turn < TURN_MS) continue
    await setImmediate()
    turn = performance.now()
  }
  return { text: style.wrap(texts), count: texts.length, last }
}

/** A JSON array. */
export const jsonStyle = (pretty: boolean): ListStyle => ({
  // As it stands in a list: with the indent of one, without its brackets.
  row: (row) => (pretty ? writeJson([row], true).slice(2, -3) : writeJson(row).slice(0, -1)),
  wrap: (texts) => {
    if (texts.length === 0) return '[]\n'
    return pretty ? `[\n${texts.join(',\n')}\n]\n` : `[${texts.join(',')}]\n`
  },
})

/** A list that no page can cut, as a JSON array that is written while it is sent. */
export async function* streamJson(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '['
  for await (const row of rows) {
    yield before + writeJson(row).slice(0, -1)
    before = ','
  }
  yield before === '[' ? '[]\n' : ']\n'
}
