import { loopTurns } from '../../lib/loop-turns.ts'
import { type RowWriter, streamRows } from '../lists/forms.ts'
import type { Page } from '../lists/next-link.ts'
import { jsonStyle, streamJson, writeList } from '../lists/write-list.ts'
import { LongList, Streamed, type WholeList } from '../route.ts'
import { writeJson } from './write-json.ts'

/** A list that is sent in pieces holds no more than this for a reader that is slow. */
const PIECE_BYTES = 2 ** 20

/** Result of a handler as JSON; `page` when it is a list. */
export async function writeResult(
  result: unknown,
  { pretty, client }: { pretty: boolean; client: string },
): Promise<{ text: string; page: Page | undefined }> {
  if (result instanceof LongList) {
    await loopTurns.take(client)
    const { text, count, last } = await writeList(result, jsonStyle(pretty), { client })
    return { text, page: { count, last, isCut: count < result.length } }
  }
  if (!Array.isArray(result)) return { text: writeJson(result, pretty), page: undefined }
  await loopTurns.take(client)
  return { text: writeJson(result, pretty), page: pageOf(result) }
}

/** A page of rows as lines, with the line of names. */
export async function writeRows(
  result: unknown,
  { head, row }: RowWriter,
  client: string,
): Promise<{ text: string; page: Page }> {
  await loopTurns.take(client)
  if (result instanceof LongList) {
    const { text, count, last } = await writeList(
      result,
      { row, wrap: (rows) => head + rows.join('') },
      { client, maxLength: PIECE_BYTES },
    )
    return { text, page: { count, last, isCut: count < result.length } }
  }
  const rows = result as unknown[]
  return { text: head + rows.map(row).join(''), page: pageOf(rows) }
}

const pageOf = (rows: readonly unknown[]): Page => ({ count: rows.length, last: rows.at(-1), isCut: false })

export function streamWhole({ rows, bytes }: WholeList<unknown>, form: RowWriter | undefined): Streamed {
  return form
    ? new Streamed(form.contentType, streamRows(rows(), form), bytes)
    : new Streamed('application/json', streamJson(rows()), bytes)
}
