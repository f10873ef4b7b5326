import type { Reader } from '../db.ts'
import { type Fragment, given } from '../sql/fragment.ts'
import { type AddressRow, addressColumns } from './address/account.ts'
import { type NamespaceRow, namespaceColumns } from './namespace.ts'
import { type RollupRow, rollupColumns } from './rollup/list.ts'
import { findTx, type TxRow, txColumns } from './tx/tx.ts'
import { type ValidatorRow, validatorColumns } from './validator.ts'

/** Longer text of other alphabets is only compared as it is written: no name has that length, and a long pattern is slow to compile. */
const MAX_FOLDED = 200

/** Matches the text anywhere and in any case; its own wildcards are taken literally. */
export function contains(sql: Reader, column: Fragment, text: string): Fragment {
  // `ilike` folds the letters that the database's locale knows, and the bundled one has the plain locale: ASCII.
  if (/^[\0-\x7f]*$/.test(text) || text.length > MAX_FOLDED) return sql`${column} ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`
  return sql`${column} ~ ${[...text].map(foldLetter).join('')}`
}

/** A regular expression for one character in either case. */
function foldLetter(letter: string): string {
  const upper = letter.toUpperCase()
  // Letters whose other case is more than one character (ß) stand for themselves.
  const cases = new Set([letter, upper, upper.toLowerCase()].filter((form) => [...form].length === 1))
  if (cases.size > 1) return `[${[...cases].join('')}]`
  return /[!-/:-@[-`{-~]/.test(letter) ? `\\${letter}` : letter
}

/** Objects with a hash. Most are txs, so the tx comes along. */
export type HashUses = { block: boolean; blob: boolean; tx: TxRow | undefined }

type HashUsesRow = Pick<HashUses, 'block' | 'blob'> & (TxRow | { tx_id: null })

/** Most hashes are one of these: looking first saves the statements for the others. */
export async function findHashUses(sql: Reader, hash: Uint8Array): Promise<HashUses> {
  const uses = sql`
    exists (select from block where hash = ${hash}) or exists (select from block where data_hash = ${hash}) as block,
    exists (select from blob where commitment = ${hash}) as blob`
  if (sql.context.partitions.layout) {
    const [[row], tx] = await Promise.all([sql<[Pick<HashUses, 'block' | 'blob'>]>`select ${uses}`, findTx(sql, hash)])
    return { ...row, tx }
  }
  const [row] = await sql<[HashUsesRow]>`
    select ${uses}, t.*
    from (select) one
    left join lateral (
      select t.height, t.time, ${txColumns(sql)} from tx t where t.hash = ${hash} order by t.id limit 1
    ) t on true`
  return { block: row.block, blob: row.blob, tx: row.tx_id === null ? undefined : row }
}

/** Verified rollups by name. */
export function searchRollups(sql: Reader, text: string, limit: number): Promise<RollupRow[]> {
  return sql<RollupRow[]>`
    select ${rollupColumns(sql)}
    from rollup r
    where r.verified and ${contains(sql, sql`r.name`, text)}
    order by r.id
    limit ${limit}`
}

/** Namespaces by a part of their id in hex, or of the name that is shown where the id is printable text. */
export function searchNamespaces(sql: Reader, text: string, limit: number): Promise<NamespaceRow[]> {
  const hex = /^(?:0x)?([0-9a-f]+)$/i.exec(text)?.[1]?.toLowerCase()
  const shown = sql`ltrim(n.namespace_id, '\\x00'::bytea)`
  return sql<NamespaceRow[]>`
    select ${namespaceColumns(sql)}
    from namespace n
    where case when encode(${shown}, 'hex') ~ '^([2-7][0-9a-f])+$' then ${contains(sql, sql`convert_from(${shown}, 'UTF8')`, text)} end
      ${given(hex, (hex) => sql`or encode(n.namespace_id, 'hex') like ${`%${hex}%`}`)}
    order by n.id
    limit ${limit}`
}

export function searchValidators(sql: Reader, text: string, limit: number): Promise<ValidatorRow[]> {
  return sql<ValidatorRow[]>`
    select ${validatorColumns(sql)}
    from validator v
    left join address d on d.id = v.delegator_id
    where ${contains(sql, sql`v.moniker`, text)}
    order by v.id
    limit ${limit}`
}

/** Validators whose operator address begins with these bytes, in hex; the last digit may be half of one. */
export function searchOperators(sql: Reader, hex: string, limit: number): Promise<ValidatorRow[]> {
  return sql<ValidatorRow[]>`
    select ${validatorColumns(sql)}
    from validator v
    left join address d on d.id = v.delegator_id
    where encode(v.operator, 'hex') like ${`${hex}%`}
    order by v.id
    limit ${limit}`
}

/** The newest, when an operator created a validator again. */
export async function findValidatorByOperator(sql: Reader, operator: Uint8Array): Promise<ValidatorRow | undefined> {
  const [row] = await sql<ValidatorRow[]>`
    select ${validatorColumns(sql)}
    from validator v
    left join address d on d.id = v.delegator_id
    where v.operator = ${operator}
    order by v.id desc
    limit 1`
  return row
}

/** The newest first, when a key was used again. */
export function listValidatorsByConsensus(sql: Reader, address: Uint8Array, limit: number): Promise<ValidatorRow[]> {
  return sql<ValidatorRow[]>`
    select ${validatorColumns(sql)}
    from validator v
    left join address d on d.id = v.delegator_id
    where v.cons_address = ${address}
    order by v.id desc
    limit ${limit}`
}

export type NamedAddressRow = AddressRow & { celestial_status: 'NOT_VERIFIED' | 'VERIFIED' | 'PRIMARY' }

/** Accounts by any of their names; `account` carries the name that was found. */
export function searchNames(sql: Reader, text: string, limit: number): Promise<NamedAddressRow[]> {
  return sql<NamedAddressRow[]>`
    select ${addressColumns(sql)}, c.status as celestial_status
    from celestial c
    join address a on a.address = c.address
    where ${contains(sql, sql`c.id`, text)}
    order by c.id
    limit ${limit}`
}
