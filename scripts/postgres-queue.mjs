// Replaces src/queue.js of postgres.js 3.4 wherever the library is bundled. The library keeps its connections in such queues and searches them with every statement. Its own queue keeps
// a hole for each entry it handed out until it is empty, and under load the queue of busy connections never is (docs/decisions/0003-two-sql-clients.md).

/** Holes that are not worth a copy of the rest. */
const FEW = 16

export default function Queue(initial = []) {
  let entries = [...initial]
  let first = 0
  return {
    get length() {
      return entries.length - first
    },
    push: (entry) => {
      entries.push(entry)
      return entry
    },
    shift: () => {
      if (first === entries.length) return undefined
      const entry = entries[first]
      entries[first++] = undefined
      if (first > FEW && first * 2 >= entries.length) {
        entries = entries.slice(first)
        first = 0
      }
      return entry
    },
    remove: (entry) => {
      const at = entries.indexOf(entry, first)
      if (at === -1) return null
      entries.splice(at, 1)
      return entry
    },
  }
}
