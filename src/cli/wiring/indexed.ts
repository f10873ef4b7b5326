import { openReader } from '../../store/db.ts'
import { findHead } from '../../store/read/head/head.ts'
import { isMissingTable } from './missing-tables.ts'

/** `firstHeight`: where it begins without the state of the chain; undefined when it has the state. */
export type Indexed = { height: number; chainId: string; firstHeight?: number }

/** Contents of an index; undefined when nothing is indexed or the tables do not exist. */
export async function findIndexed(url: string, schema: string): Promise<Indexed | undefined> {
  const db = openReader({ url, schema, max: 1 })
  try {
    const head = await findHead(db)
    return (
      head && { height: head.last_height, chainId: head.chain_id, ...(!head.has_state && { firstHeight: head.first_height }) }
    )
  } catch (error) {
    if (isMissingTable(error)) return undefined
    throw error
  } finally {
    await db.end()
  }
}
