import { openReader } from '../store/db.ts'
import { findHead } from '../store/read/head.ts'
import { MISSING_TABLE } from './database.ts'

export type Indexed = { height: number; chainId: string }

/** What an index holds; undefined when nothing is indexed, or not even its tables are there. */
export async function findIndexed(url: string, schema: string): Promise<Indexed | undefined> {
  const db = openReader({ url, schema, max: 1 })
  try {
    const head = await findHead(db)
    return head && { height: head.last_height, chainId: head.chain_id }
  } catch (error) {
    if ((error as { code?: string }).code === MISSING_TABLE) return undefined
    throw error
  } finally {
    await db.end()
  }
}
