import { setImmediate } from 'node:timers/promises'
import type { LongList } from '../route.ts'
import { writeJson } from './write-json.ts'

/** A page ends with the row that makes it longer than this. */
export const LIST_BYTES = 4 * 2 ** 20
/** Other requests get their turn after so much time. */
const TURN_MS = 10

export type WrittenList = { text: string; count: number; last: unknown }

/** Writes the rows of a list until the page is full or long enough; at least one, so that every next page gets further. */
export async function writeList(list: LongList<unknown>, pretty: boolean, maxLength = LIST_BYTES): Promise<WrittenList> {
  const texts: string[] = []
  let length = 0
  let last: unknown
  let turn = performance.now()
  for await (const row of list.rows()) {
    const text = writeRow(row, pretty)
    texts.push(text)
    length += text.length
    last = row
    if (length >= maxLength) break
    if (performance.now() - turn < TURN_MS) continue
    await setImmediate()
    turn = performance.now()
  }
  return { text: wrap(texts, pretty), count: texts.length, last }
}

/** A list that no page can cut, written while it is sent. */
export async function* streamList<R>(rows: readonly R[], toRow: (row: R) => Promise<unknown>): AsyncGenerator<string> {
  for (const [i, row] of rows.entries()) yield (i === 0 ? '[' : ',') + writeRow(await toRow(row), false)
  yield rows.length === 0 ? '[]\n' : ']\n'
}

function writeRow(row: unknown, pretty: boolean): string {
  // As it stands in a list: with the indent of one, without its brackets.
  return pretty ? writeJson([row], true).slice(2, -3) : writeJson(row).slice(0, -1)
}

function wrap(texts: string[], pretty: boolean): string {
  if (texts.length === 0) return '[]\n'
  return pretty ? `[\n${texts.join(',\n')}\n]\n` : `[${texts.join(',')}]\n`
}
