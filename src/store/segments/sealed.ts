import { OperatorError } from '../../lib/errors.ts'
import type { Reader, SealedKind } from '../db.ts'
import { UNSEALED_KINDS, type UnsealedKind } from '../pack/unsealed-kind.ts'
import type { Fragment } from '../sql/fragment.ts'

const ROWS = {
  block: (sql: Reader) => ({ bytes: sql`b.events`, height: sql`b.height`, id: sql`0` }),
  tx: (sql: Reader) => ({ bytes: sql`t.events`, height: sql`t.height`, id: sql`t.id` }),
  message: (sql: Reader) => ({ bytes: sql`m.value`, height: sql`m.height`, id: sql`m.id` }),
}

/**
 * The bytes of a row of `block b`, `tx t` or `message m`, in it or beside it; null when a segment has them. For the statement that reads
 * the row: a fork may take it back before the next one.
 */
export function unsealedBytes(sql: Reader, kind: UnsealedKind): Fragment {
  const { bytes, height, id } = ROWS[kind](sql)
  return sql`coalesce(${bytes}, (
    select u.bytes from unsealed u where u.height = ${height} and u.kind = ${UNSEALED_KINDS[kind]}::smallint and u.id = ${id}))`
}

/** Bytes that a row does not have any more because they were moved into a segment. */
export async function readSealed(sql: Reader, kind: SealedKind, height: number, id: number): Promise<Buffer> {
  if (!sql.context.segments)
    throw new OperatorError(
      'segments_not_configured',
      'this index has segments: set storage.segments to the place where the indexer put them',
    )
  const bytes = await sql.context.segments.read(sql, kind, height, id)
  if (!bytes) throw new OperatorError('segment_incomplete', `no segment has the ${kind} of height ${height}`, { height, kind })
  return bytes
}
