import { openReader } from '../store/db.ts'
import { findHeadMark } from '../store/read/head.ts'
import { MISSING_TABLE } from './database.ts'

/** Last height of an index; 0 when nothing is indexed, or not even its tables are there. */
export async function findIndexed(url: string, schema: string): Promise<number> {
  const db = openReader({ url, schema, max: 1 })
  try {
    return (await findHeadMark(db))?.last_height ?? 0
  } catch (error) {
    if ((error as { code?: string }).code === MISSING_TABLE) return 0
    throw error
  } finally {
    await db.end()
  }
}
