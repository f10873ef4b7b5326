import { OperatorError } from '../../lib/errors.ts'
import type { Reader, SealedKind } from '../db.ts'

/** Bytes that a row does not have any more because they were moved into a segment. */
export async function readSealed(sql: Reader, kind: SealedKind, height: number, id: number): Promise<Buffer> {
  if (!sql.segments)
    throw new OperatorError(
      'segments_not_configured',
      'this index has segments: set storage.segments to the place where the indexer put them',
    )
  const bytes = await sql.segments.read(sql, kind, height, id)
  if (!bytes) throw new OperatorError('segment_incomplete', `no segment has the ${kind} of height ${height}`, { height, kind })
  return bytes
}
