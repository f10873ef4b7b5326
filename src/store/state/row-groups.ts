const NO_KEYS: readonly string[] = []

/** Keys of the rows of a table by the values of its groups. */
export class RowGroups<Row> {
  /** Most groups have one row: its key stands alone. */
  readonly #groups: { groupOf: (row: Row) => string; keys: Map<string, string | Set<string>> }[] = []
  readonly #byName = new Map<string, Map<string, string | Set<string>>>()

  constructor(groups: Record<string, (row: Row) => string> = {}) {
    for (const [name, groupOf] of Object.entries(groups)) {
      const keys = new Map<string, string | Set<string>>()
      this.#groups.push({ groupOf, keys })
      this.#byName.set(name, keys)
    }
  }

  keysOf(group: string, value: string): Iterable<string> {
    const found = this.#byName.get(group)?.get(value)
    if (found === undefined) return NO_KEYS
    return typeof found === 'string' ? [found] : found
  }

  add(key: string, row: Row): void {
    for (const { groupOf, keys } of this.#groups) {
      const value = groupOf(row)
      const found = keys.get(value)
      if (found === undefined) keys.set(value, key)
      else if (typeof found === 'string') keys.set(value, new Set([found, key]))
      else found.add(key)
    }
  }

  remove(key: string, row: Row): void {
    for (const { groupOf, keys } of this.#groups) {
      const value = groupOf(row)
      const found = keys.get(value)
      if (found instanceof Set) found.delete(key)
      if (found === key || (found instanceof Set && found.size === 0)) keys.delete(value)
    }
  }
}
