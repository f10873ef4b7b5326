import type pg from 'pg'
import { bytes, int } from './column.ts'
import type { State } from './state.ts'
import type { StateTable } from './table.ts'

// biome-ignore lint/suspicious/noExplicitAny: loads rows of any table by its definition
type AnyTable = StateTable<any>

const quoted = (name: string) => `"${name}"`

/** Values come as PostgreSQL text: the column codecs read them, no driver conversion may round them. */
const asText = { getTypeParser: () => (text: string) => text }

async function queryTexts(client: pg.ClientBase, text: string, values: unknown[] = []): Promise<(string | null)[][]> {
  const result = await client.query({ text, values, rowMode: 'array', types: asText as never })
  return result.rows as (string | null)[][]
}

/** Reads whole tables at start. */
export async function loadResident(client: pg.ClientBase, state: State): Promise<void> {
  for (const table of state.tables()) {
    if (table.def.residence !== 'all' || table.def.loadWhere === 'false') continue
    const where = table.def.loadWhere ? ` where ${table.def.loadWhere}` : ''
    const order = table.def.key.map(quoted).join(', ')
    const rows = await queryTexts(
      client,
      `select ${table.columnNames.map(quoted).join(', ')} from ${quoted(table.def.name)}${where} order by ${order}`,
    )
    for (const row of rows) table.adopt(row)
  }
}

/** Rows that a batch will touch, gathered before it is applied. */
export class Wanted {
  readonly #keys = new Map<AnyTable, Map<string, (string | number)[]>>()
  readonly #whole: { table: AnyTable; column: string; ids: Set<number> }[] = []

  row(table: AnyTable, ...parts: (string | number)[]): void {
    const key = table.key(...parts)
    if (table.isLoaded(key)) return
    const keys = this.#keys.get(table)
    if (keys) keys.set(key, parts)
    else this.#keys.set(table, new Map([[key, parts]]))
  }

  /** All rows with one of these ids in a column of their key. */
  rowsOf(table: AnyTable, column: string, ids: Set<number>): void {
    if (ids.size > 0) this.#whole.push({ table, column, ids })
  }

  /** One statement per table; what is not found is known to be absent. */
  async load(client: pg.ClientBase): Promise<void> {
    for (const { table, column, ids } of this.#whole) {
      const columns = table.columnNames.map(quoted).join(', ')
      const text = `select ${columns} from ${quoted(table.def.name)} where ${quoted(column)} = any($1)`
      for (const row of await queryTexts(client, text, [[...ids]])) table.adopt(row)
      table.markWhole(column, ids)
    }
    this.#whole.length = 0
    for (const [table, keys] of this.#keys) {
      const columns = table.def.key
      const arrays = columns.map((column: string, i: number) =>
        [...keys.values()].map((parts) => (table.def.columns[column] === bytes ? `\\x${parts[i]}` : String(parts[i]))),
      )
      const casts = columns.map((column: string) => keyCast(table, column))
      const unnest = casts.map((cast: string, i: number) => `$${i + 1}::text[]::${cast}[]`).join(', ')
      const names = columns.map(quoted).join(', ')
      const rows = await queryTexts(
        client,
        `select ${table.columnNames.map((name: string) => `t.${quoted(name)}`).join(', ')}
         from unnest(${unnest}) as k(${names})
         join ${quoted(table.def.name)} t using (${names})`,
        arrays,
      )
      for (const row of rows) table.adopt(row)
      for (const key of keys.keys()) table.adoptAbsent(key)
    }
    this.#keys.clear()
  }
}

/** Addresses by id: a slash names a validator, and with it all accounts that delegated to it. */
export async function loadAddressesById(client: pg.ClientBase, state: State, ids: number[]): Promise<void> {
  const missing = ids.filter((id) => state.address.inGroup('id', String(id)).length === 0)
  if (missing.length === 0) return
  const columns = state.address.columnNames.map(quoted).join(', ')
  for (const row of await queryTexts(client, `select ${columns} from address where id = any($1)`, [missing]))
    state.address.adopt(row)
}

/** The cast of a key column: exactly the column's own type, or the index is not used. */
function keyCast(table: AnyTable, column: string): string {
  const type = table.def.columns[column]!
  return type === int ? 'integer' : type.pg
}
