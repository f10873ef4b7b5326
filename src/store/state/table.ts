import { Invariant } from '../../lib/errors.ts'
import type { Column } from './column.ts'
import { RowGroups } from './row-groups.ts'
import { joinKey, keyTexts, type LastIds, type Owner, partOf, type TableDef } from './table-def.ts'

type Entry<Row> = {
  row: Row | null
  undoHeight: number
  /** changed since the last batch */
  isDirty: boolean
  /** the last batch that loaded or changed it */
  batch: number
}

/** How many rows a `keys` table holds: `few` however old, up to `many` of those that the last batches used. */
export type RowLimits = { few: number; many: number; recentBatches: number }

/** Rows as PostgreSQL text, column by column: what an `unnest` upsert takes. */
export type TableChanges = { upserts: (string | null)[][]; deletes: (string | null)[][] }

/** [key values, previous row or null when there was none], all in text form. */
export type UndoRecord = [key: string[], before: (string | null)[] | null]

const NO_BIRTHS: LastIds = {
  address: Number.POSITIVE_INFINITY,
  namespace: Number.POSITIVE_INFINITY,
  validator: Number.POSITIVE_INFINITY,
}

/**
 * The rows of one table that the writer works on. Rows are changed in memory and written at the end of a batch; the first change of a
 * row within a height leaves its previous value in the undo list. Arrays and JSON inside a row are replaced, never changed in place.
 */
export class StateTable<Row extends object> {
  readonly def: TableDef<Row>
  readonly columnNames: (keyof Row & string)[]
  readonly #codecs: Column<Row[keyof Row & string]>[]
  readonly #entries = new Map<string, Entry<Row>>()
  readonly #groups: RowGroups<Row>
  #dirty: { key: string; entry: Entry<Row> }[] = []
  /** keys of rows of an `all` table that were removed: without their entries they are as absent as before */
  #removed: string[] = []
  #height = -1
  #undo: { key: string; before: Row | null }[] = []
  #batch = 0
  /** the size from which it is worth looking for unused rows again */
  #evictFrom = 0
  /** keys of rows of an `all` table that nothing will ask for again */
  #released: string[] = []
  #lastIds: LastIds = NO_BIRTHS
  readonly #births: { position: number; owner: Owner }[]
  /** by position in the key: ids of which the present batch has all rows in memory */
  readonly #whole = new Map<number, Set<number>>()

  constructor(def: TableDef<Row>) {
    this.def = def
    this.columnNames = Object.keys(def.columns) as (keyof Row & string)[]
    this.#codecs = this.columnNames.map((name) => def.columns[name])
    this.#groups = new RowGroups(def.groups)
    this.#births = def.key.flatMap((column, position) => {
      const owner = def.bornWith?.[column]
      return owner ? [{ position, owner }] : []
    })
  }

  get size(): number {
    return this.#entries.size
  }

  /** A height, or the first of several that share a record, begins: changes from here on are undone together. */
  beginHeight(height: number): void {
    this.#height = height
    if (this.#undo.length > 0) this.#undo = []
  }

  /** Ids above the last ones are given in this batch. */
  beginBatch(batch: number, lastIds: LastIds = NO_BIRTHS): void {
    this.#batch = batch
    this.#lastIds = lastIds
    this.#whole.clear()
  }

  /** Until the next batch begins, a row with one of these ids in its key that is not in memory does not exist. */
  markWhole(column: keyof Row & string, ids: Iterable<number>): void {
    this.#whole.set(this.def.key.indexOf(column), new Set(ids))
  }

  keyOf(row: Row): string {
    const { key } = this.def
    if (key.length === 1) return String(row[key[0]!])
    return joinKey(key.map((column) => String(row[column])))
  }

  /** `parts` in the order of the key columns. */
  key(...parts: (string | number)[]): string {
    return joinKey(parts)
  }

  /** True when the row, or its absence, is known in memory. */
  isLoaded(key: string): boolean {
    return this.def.residence === 'all' || this.#entries.has(key)
  }

  get(...parts: (string | number)[]): Readonly<Row> | undefined {
    return this.#find(joinKey(parts))?.row ?? undefined
  }

  /** The row to be changed; its present value is kept for undo first. */
  edit(...parts: (string | number)[]): Row | undefined {
    const key = joinKey(parts)
    const entry = this.#find(key)
    if (!entry?.row) return undefined
    this.#remember(key, entry)
    return entry.row
  }

  insert(row: Row): Row {
    const key = this.keyOf(row)
    const entry = this.#find(key)
    if (entry?.row) throw new Invariant('row_exists', `${this.def.name} ${key} exists already`, { table: this.def.name, key })
    const fresh = entry ?? this.#newEntry(null)
    this.#remember(key, fresh)
    fresh.row = row
    this.#entries.set(key, fresh)
    this.#groups.add(key, row)
    return row
  }

  remove(...parts: (string | number)[]): void {
    const key = joinKey(parts)
    const entry = this.#find(key)
    if (!entry?.row) return
    this.#remember(key, entry)
    this.#groups.remove(key, entry.row)
    entry.row = null
  }

  /** Nothing will ask for the rows of this group again: they leave memory once they are written. For `all` tables. */
  release(group: string, value: string): void {
    for (const row of this.inGroup(group, value)) this.#released.push(this.keyOf(row))
  }

  *all(): Generator<Readonly<Row>> {
    for (const entry of this.#entries.values()) if (entry.row) yield entry.row
  }

  /** Rows of a group in no particular order: sort by id where the order matters, it must not depend on a restart. */
  inGroup(group: string, value: string): Readonly<Row>[] {
    const rows: Readonly<Row>[] = []
    for (const key of this.#groups.keysOf(group, value)) {
      const row = this.#entries.get(key)?.row
      if (row) rows.push(row)
    }
    return rows
  }

  /** A row as the database has it; ignored when memory already knows better. */
  adopt(texts: (string | null)[]): void {
    const row = this.decode(texts)
    const key = this.keyOf(row)
    if (this.#entries.has(key)) return
    this.#entries.set(key, this.#newEntry(row))
    this.#groups.add(key, row)
  }

  /** The database has no such row. */
  adoptAbsent(key: string): void {
    if (!this.#entries.has(key)) this.#entries.set(key, this.#newEntry(null))
  }

  takeUndo(): UndoRecord[] {
    if (this.#undo.length === 0) return []
    const records = this.#undo.map(
      ({ key, before }): UndoRecord => [keyTexts(this.def, key), before ? this.encode(before) : null],
    )
    this.#undo = []
    return records
  }

  /** Everything changed since the last call, column by column. */
  takeChanges(): TableChanges | undefined {
    if (this.#dirty.length === 0) return undefined
    const upserts: (string | null)[][] = this.columnNames.map(() => [])
    const deletes: (string | null)[][] = this.def.key.map(() => [])
    for (const { key, entry } of this.#dirty) {
      entry.isDirty = false
      entry.batch = this.#batch
      if (entry.row) {
        const texts = this.encode(entry.row)
        for (let i = 0; i < texts.length; i++) upserts[i]!.push(texts[i]!)
        if (this.def.loadWhere === 'false') this.#released.push(key)
      } else {
        keyTexts(this.def, key).forEach((part, i) => {
          deletes[i]!.push(part)
        })
        if (this.def.residence === 'all') this.#removed.push(key)
      }
    }
    this.#dirty = []
    return { upserts, deletes }
  }

  /** Drops rows of a `keys` table that were not used lately, and what is left of removed rows; what is not yet committed stays. */
  evict(committedBatch: number, { few, many, recentBatches }: RowLimits): void {
    if (this.def.residence === 'all') {
      this.#forgetRemoved(committedBatch)
      this.#forgetReleased(committedBatch)
      return
    }
    if (this.#entries.size <= Math.max(few, this.#evictFrom)) return
    this.#drop(few, Math.min(committedBatch, this.#batch - recentBatches))
    if (this.#entries.size > many) this.#drop(many * 0.9, committedBatch)
    this.#evictFrom = Math.min(this.#entries.size * 1.25, many)
  }

  #forgetRemoved(committedBatch: number): void {
    const waiting: string[] = []
    for (const key of this.#removed) {
      const entry = this.#entries.get(key)
      // Another row may have taken its place.
      if (!entry || entry.row) continue
      if (entry.isDirty || entry.batch > committedBatch) waiting.push(key)
      else this.#entries.delete(key)
    }
    this.#removed = waiting
  }

  #forgetReleased(committedBatch: number): void {
    this.#released = this.#released.filter((key) => {
      const entry = this.#entries.get(key)
      if (!entry?.row) return false
      if (entry.isDirty || entry.batch > committedBatch) return true
      this.#groups.remove(key, entry.row)
      this.#entries.delete(key)
      return false
    })
  }

  /** Drops rows that were last used in `batch` or before, the longest known first, until `size` are left. */
  #drop(size: number, batch: number): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= size) return
      if (entry.isDirty || entry.batch > batch) continue
      if (entry.row) this.#groups.remove(key, entry.row)
      this.#entries.delete(key)
    }
  }

  encode(row: Row): (string | null)[] {
    return this.columnNames.map((name, i) => {
      const value = row[name]
      return value === null || value === undefined ? null : this.#codecs[i]!.encode(value)
    })
  }

  decode(texts: (string | null)[]): Row {
    const row: Record<string, unknown> = {}
    this.columnNames.forEach((name, i) => {
      const text = texts[i] ?? null
      row[name] = text === null ? null : this.#codecs[i]!.decode(text)
    })
    return row as Row
  }

  #find(key: string): Entry<Row> | undefined {
    const entry = this.#entries.get(key)
    if (!entry && this.def.residence === 'keys' && !this.#cannotBeStored(key))
      throw new Invariant('row_not_loaded', `${this.def.name} ${key} was not loaded before use`, { table: this.def.name, key })
    return entry
  }

  #cannotBeStored(key: string): boolean {
    for (const { position, owner } of this.#births) if (partOf(key, position) > this.#lastIds[owner]) return true
    for (const [position, ids] of this.#whole) if (ids.has(partOf(key, position))) return true
    return false
  }

  #newEntry(row: Row | null): Entry<Row> {
    return { row, undoHeight: -1, isDirty: false, batch: this.#batch }
  }

  #remember(key: string, entry: Entry<Row>): void {
    if (entry.undoHeight !== this.#height) {
      this.#undo.push({ key, before: entry.row ? { ...entry.row } : null })
      entry.undoHeight = this.#height
    }
    if (entry.isDirty) return
    entry.isDirty = true
    this.#dirty.push({ key, entry })
  }
}
