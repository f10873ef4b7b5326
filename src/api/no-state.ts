import type { Head } from '../store/read/head.ts'
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
