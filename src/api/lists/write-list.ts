import { loopTurns } from '../../lib/loop-turns.ts'
import { writeJson } from '../http/write-json.ts'
import type { LongList } from '../route.ts'

/** A page ends with the row that makes it longer than this. */
export const LIST_BYTES = 4 * 2 ** 20
export type WrittenList = { text: string; count: number; last: unknown }

/** How rows become the text of a list. */
export type ListStyle = { row: (row: unknown) => string; wrap: (rows: string[]) => string }

/** Writes the rows of a list until the page is full or long enough; at least one, so that every next page gets further. */
export async function writeList(
  list: LongList<unknown>,
  style: ListStyle,
  { client, maxLength = LIST_BYTES }: { client: string; maxLength?: number },
): Promise<WrittenList> {
  const texts: string[] = []
  let length = 0
  let last: unknown
  const add = (row: unknown) => {
    const text = style.row(row)
    texts.push(text)
    length += text.length
    last = row
    return length < maxLength
  }
  const rows = list.rows()
  if (Symbol.iterator in rows) {
    for (const made of rows) {
      if (!add(made instanceof Promise ? await made : made)) break
      const turn = loopTurns.goOn(client)
      if (turn) await turn
    }
  } else {
    for await (const row of rows) {
      if (!add(row)) break
      await loopTurns.goOn(client)
    }
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
export async function* streamJson(rows: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '['
  for await (const row of rows) {
    yield before + writeJson(row).slice(0, -1)
    before = ','
  }
  yield before === '[' ? '[]\n' : ']\n'
}
