/** An entry under way; `begin_…` where the chain counts it from another block than the one of its message. */
export type Pending = {
  height: number
  time: string
  completion_time: string
  begin_height?: number | null
  begin_time?: string | null
}

/**
 * When an entry is over. Events cut it to the second; the rest of that second is the one of the block from which it is counted, since the
 * unbonding time is in whole seconds. Entries of a genesis document state it in full.
 */
export function endOf({ time, begin_time, completion_time }: Pending): string {
  return completion_time.endsWith('.000000Z') ? completion_time.slice(0, 20) + (begin_time ?? time).slice(20) : completion_time
}

type Entry = Pending & { id: number; amount: bigint }

/**
 * The entries that an event of completion is about: of those whose second has come the first ones that make up the sum that was paid.
 * The chain comes once for every message, though messages of one block share an entry: the second time it pays nothing.
 */
export function takeMatured<E extends Entry>(entries: readonly E[], time: string, paid: bigint): E[] {
  const due = entries.filter((entry) => entry.completion_time <= time).sort(byEnd)
  let sum = 0n
  let count = 0
  while (count < due.length && sum !== paid) sum += due[count++]!.amount
  // A sum that nothing makes up tells nothing.
  if (sum !== paid) return due
  // Entries that slashes emptied add nothing to the sum.
  while (count < due.length && due[count]!.amount === 0n && endOf(due[count]!) <= time) count++
  return due.slice(0, count)
}

function byEnd(a: Entry, b: Entry): number {
  const [first, second] = [endOf(a), endOf(b)]
  if (first === second) return a.id - b.id
  return first < second ? -1 : 1
}
