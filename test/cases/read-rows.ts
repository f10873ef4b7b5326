import type { Db } from '../../src/store/db.ts'

/** Rows of the driver carry more than their columns: as plain objects they compare. */
export function plain<T extends object>(rows: readonly T[]): T[] {
  return rows.map((row) => ({ ...row }))
}

export type Money = { spendable: string; delegated: string; unbonding: string }

/** Coins of an account in utia; undefined when the chain never named it. */
export async function moneyOf(sql: Db, { hex }: { hex: string }): Promise<Money | undefined> {
  const rows = await sql<Money[]>`select spendable, delegated, unbonding from address where address = ${Buffer.from(hex, 'hex')}`
  return plain(rows)[0]
}

export async function spendableOf(sql: Db, account: { hex: string }): Promise<bigint> {
  return BigInt((await moneyOf(sql, account))?.spendable ?? -1)
}

/** Balances of a denomination other than utia, by account. */
export async function balancesOf(sql: Db, denom: string): Promise<Record<string, string>> {
  const rows = await sql<{ address: Buffer; amount: string }[]>`
    select a.address, b.amount from balance b join address a on a.id = b.address_id where b.denom = ${denom}`
  return Object.fromEntries(rows.map(({ address, amount }) => [address.toString('hex'), amount]))
}

export async function constantOf(sql: Db, module: string, name: string): Promise<string | undefined> {
  const rows = await sql<{ value: string }[]>`select value from constant where module = ${module} and name = ${name}`
  return rows[0]?.value
}
