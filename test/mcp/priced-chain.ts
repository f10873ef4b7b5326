import { freshDatabase } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'
import { openWriterSql } from '../support/writer-sql.ts'

/** The indexed main recording with a price, which comes from outside the chain. */
export async function pricedChain(): Promise<string> {
  const url = await freshDatabase('devnet')
  const sql = openWriterSql(url, SCHEMA)
  await sql`insert into price (timeframe, time, open, high, low, close) values ('1m', '2026-01-01', 5, 6, 4, 5.1)`
  await sql.end()
  return url
}
