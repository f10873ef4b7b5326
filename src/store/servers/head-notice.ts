import type pg from 'pg'

/** Channel of the height notice; payload `<schema> <height> <commit number>`. */
export const HEAD_CHANNEL = 'astrolabe_head'

export type HeadNotice = { schema: string; height: number; commitNumber: number }

/** Tells readers, as soon as this transaction is committed, what they will see: a replica may need a while to show it. */
export async function notifyHead(client: pg.ClientBase, { schema, height, commitNumber }: HeadNotice): Promise<void> {
  await client.query('select pg_notify($1, $2)', [HEAD_CHANNEL, `${schema} ${height} ${commitNumber}`])
}

/** For changes other than new blocks: counts one more commit and tells readers. */
export async function countCommit(client: pg.ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ last_height: number; commit_number: string }>(
    'update head set commit_number = commit_number + 1 returning last_height, commit_number',
  )
  const [head] = rows
  if (head) await notifyHead(client, { schema, height: head.last_height, commitNumber: Number(head.commit_number) })
}

export function parseHeadNotice(payload: string): HeadNotice | undefined {
  const [schema, height, commitNumber] = payload.split(' ')
  const notice = { schema: schema ?? '', height: Number(height), commitNumber: Number(commitNumber) }
  return Number.isSafeInteger(notice.height) && Number.isSafeInteger(notice.commitNumber) ? notice : undefined
}
