import type { Reader } from '../db.ts'
import { type AddressRow, addressColumns } from './address/account.ts'
import { type NamespaceRow, namespaceColumns } from './namespace.ts'
import { type RollupRow, rollupColumns } from './rollup/list.ts'
import { type ValidatorRow, validatorColumns } from './validator.ts'

/** Matches the text anywhere; its own wildcards are taken literally. */
function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Verified rollups by name. */
export function searchRollups(sql: Reader, text: string, limit: number): Promise<RollupRow[]> {
  return sql<RollupRow[]>`
    select ${rollupColumns(sql)}
    from rollup r
    where r.verified and r.name ilike ${anywhere(text)}
    order by r.id
    limit ${limit}`
}

/** Namespaces by a part of their id in hex. */
export function searchNamespaces(sql: Reader, hex: string, limit: number): Promise<NamespaceRow[]> {
  return sql<NamespaceRow[]>`
    select ${namespaceColumns(sql)}
    from namespace n
    where encode(n.namespace_id, 'hex') like ${anywhere(hex.toLowerCase())}
    order by n.id
    limit ${limit}`
}

export function searchValidators(sql: Reader, text: string, limit: number): Promise<ValidatorRow[]> {
  return sql<ValidatorRow[]>`
    select ${validatorColumns(sql)}
    from validator v
    left join address d on d.id = v.delegator_id
    where v.moniker ilike ${anywhere(text)}
    order by v.id
    limit ${limit}`
}

export async function findValidatorByOperator(sql: Reader, operator: Uint8Array): Promise<ValidatorRow | undefined> {
  const [row] = await sql<ValidatorRow[]>`
    select ${validatorColumns(sql)}
    from validator v
    left join address d on d.id = v.delegator_id
    where v.operator = ${operator}`
  return row
}

export type NamedAddressRow = AddressRow & { celestial_status: 'NOT_VERIFIED' | 'VERIFIED' | 'PRIMARY' }

/** Accounts by any of their names; `account` carries the name that was found. */
export function searchNames(sql: Reader, text: string, limit: number): Promise<NamedAddressRow[]> {
  return sql<NamedAddressRow[]>`
    select ${addressColumns(sql)}, c.status as celestial_status
    from celestial c
    join address a on a.address = c.address
    where c.id ilike ${anywhere(text)}
    order by c.id
    limit ${limit}`
}
