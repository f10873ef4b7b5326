type Entry = { id: number; amount: bigint; completion_time: string }

/**
 * The entries that an event of completion is about. Events state the end of an entry in whole seconds, the chain keeps it to the
 * nanosecond: one that seems to be over may still have the rest of a second to go. The sum that was paid tells which are over.
 */
export function takeMatured<E extends Entry>(entries: readonly E[], time: string, paid: bigint): E[] {
  const due = entries.filter((entry) => entry.completion_time <= time).sort(byCompletion)
  let sum = 0n
  let count = 0
  for (const [at, { amount }] of due.entries()) {
    sum += amount
    if (sum === paid) count = at + 1
  }
  // A sum that fits no prefix tells nothing.
  return count === 0 ? due : due.slice(0, count)
}

function byCompletion(a: Entry, b: Entry): number {
  if (a.completion_time === b.completion_time) return a.id - b.id
  return a.completion_time < b.completion_time ? -1 : 1
}
