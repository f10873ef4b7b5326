import type { Reader } from '../store/db.ts'
import { findBlock } from '../store/read/block.ts'
import type { Head } from '../store/read/head/head.ts'
import { HttpError } from './http/errors.ts'

/** Throws 409 on an index that began without the state of the chain: a guess would be wrong, and nothing is better than that. */
export function requireState(head: Head | undefined): void {
  if (head && !head.has_state)
    throw new HttpError(
      409,
      'no_state',
      `this index begins at height ${head.first_height} without the state of the chain before it, on which this answer depends; ask an index that begins with genesis, an exported state or a snapshot of one`,
    )
}

const HOUR_MS = 3_600_000

/** Refuses while such an index does not reach back so many hours: compared with nothing before its start, any figure is a rise. */
export async function requireHours(db: Reader, head: Head | undefined, hours: number): Promise<void> {
  if (!head || head.has_state) return
  const first = await findBlock(db, head.first_height)
  if (first && Date.parse(head.last_time) - Date.parse(first.time) >= hours * HOUR_MS) return
  throw new HttpError(
    409,
    'no_state',
    `this index begins at height ${head.first_height} and does not reach back the ${hours} hours that this answer compares yet`,
  )
}
