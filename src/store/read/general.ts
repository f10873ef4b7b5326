import type { Reader } from '../db.ts'

export type ConstantRow = { module: string; name: string; value: string }

export function listConstants(sql: Reader): Promise<ConstantRow[]> {
  return sql<ConstantRow[]>`select module, name, value from constant order by module, name`
}

export async function findConstants(sql: Reader, names: [module: string, name: string][]): Promise<(string | undefined)[]> {
  const rows = await sql<ConstantRow[]>`
    select c.module, c.name, c.value
    from unnest(${names.map(([module]) => module)}::text[], ${names.map(([, name]) => name)}::text[]) as w (module, name)
    join constant c on c.module = w.module and c.name = w.name`
  return names.map(([module, name]) => rows.find((row) => row.module === module && row.name === name)?.value)
}

export type DenomMetadataRow = {
  description: string
  base: string
  display: string
  name: string
  symbol: string
  uri: string
  units: { denom: string; exponent: number; aliases?: string[] }[]
}

export function listDenomMetadata(sql: Reader): Promise<DenomMetadataRow[]> {
  return sql<DenomMetadataRow[]>`
    select description, base, display, name, symbol, uri, units
    from denom_metadata
    order by base`
}

/** Distinct tags of verified rollups. */
export async function listTags(sql: Reader): Promise<string[]> {
  const rows = await sql<{ tag: string }[]>`
    select distinct tag
    from rollup r, unnest(r.tags) as tag
    where r.verified
    order by tag`
  return rows.map(({ tag }) => tag)
}
