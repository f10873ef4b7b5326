import type pg from 'pg'
import type { Claim } from '../../chain/state/prove.ts'
import type { StateRecord, StateValue } from '../../client/proof/state-record.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import type { State } from '../state/state.ts'
import type { StateChanges } from './commit.ts'
import { readUndosAbove } from './undo-steps.ts'

/** Records of the chain's state that a batch changed, as the index has them after it: those of the supply and of modules, and all others. */
export type ChangedClaims = { central: Claim[]; others: Claim[] }

/** Reads memory: call it before the next batch is prepared. */
export function listChanged(state: State, blocks: readonly PackedBlock[], changes: StateChanges): ChangedClaims {
  const central: Claim[] = []
  const others: Claim[] = []
  const seen = new Set<string>()
  for (const { addresses, coins, supply } of blocks) {
    for (const { denom } of supply) {
      if (!isNew(seen, denom)) continue
      central.push({ record: { kind: 'supply', denom }, value: amountOf(state.supply.get(denom)?.amount) })
    }
    for (const { address: index, denom } of coins) {
      const address = addresses[index]!
      if (!isNew(seen, `${address} ${denom}`)) continue
      const row = state.address.get(address)
      if (!row) continue
      const amount = denom === 'utia' ? row.spendable : state.balance.get(row.id, denom)?.amount
      const claim: Claim = { record: { kind: 'balance', address, denom }, value: amountOf(amount) }
      if (row.name !== null) central.push(claim)
      else others.push(claim)
    }
  }
  for (const { table, changes: rows } of changes)
    if (table.def.name === state.delegation.def.name) others.push(...delegationsOf(state, rows))
  return { central, others }
}

const amountOf = (amount: bigint | undefined): StateValue | undefined => (amount === undefined ? undefined : { amount })

function isNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

type Rows = StateChanges[number]['changes']

/** Changed and ended delegations, and the validators behind them. */
function delegationsOf(state: State, { upserts, deletes }: Rows): Claim[] {
  const claims: Claim[] = []
  const validators = new Set<number>()
  const add = (validatorId: number, addressId: number) => {
    const operator = state.validator.get(validatorId)?.operator
    const delegator = state.address.inGroup('id', String(addressId))[0]?.address
    if (!operator || delegator === undefined) return
    const shares = state.delegation.get(validatorId, addressId)?.shares
    claims.push({ record: { kind: 'delegation', delegator, operator }, value: shares === undefined ? undefined : { shares } })
    validators.add(validatorId)
  }
  for (const [first, second] of [upserts, deletes])
    for (const [i, validatorId] of (first ?? []).entries()) add(Number(validatorId), Number(second![i]))
  for (const id of validators) {
    const { operator, stake, shares, jailed, bonded } = state.validator.get(id)!
    claims.push({ record: { kind: 'validator', operator: operator! }, value: { tokens: stake, shares, jailed, bonded } })
  }
  return claims
}

/** A balance or a supply as the index had it after a height to which it can be taken back. */
export async function readClaimAfter(client: pg.ClientBase, state: State, record: StateRecord, height: number): Promise<Claim> {
  const cell = record.kind === 'balance' || record.kind === 'supply' ? await findCell(client, record) : undefined
  if (!cell) return { record, value: undefined }
  const { table, key, column } = cell
  let amount = cell.amount
  const position = [...state.tables()].find(({ def }) => def.name === table)!.columnNames.indexOf(column)
  for await (const undo of readUndosAbove(client, height))
    for (const [parts, before] of undo.state[table] ?? []) if (parts.join(' ') === key) amount = before?.[position] ?? null
  return { record, value: amount === null ? undefined : { amount: BigInt(amount) } }
}

type ProvenCell = { table: string; key: string; column: string; amount: string | null }

async function findCell(
  client: pg.ClientBase,
  record: Extract<StateRecord, { kind: 'balance' | 'supply' }>,
): Promise<ProvenCell | undefined> {
  const { denom } = record
  if (record.kind === 'supply') {
    const { rows } = await client.query<{ amount: string }>('select amount::text from supply where denom = $1', [denom])
    return { table: 'supply', key: denom, column: 'amount', amount: rows[0]?.amount ?? null }
  }
  const { rows } = await client.query<{ id: number; spendable: string; amount: string | null }>(
    `select a.id, a.spendable::text, b.amount::text from address a left join balance b on b.address_id = a.id and b.denom = $2
     where a.address = $1`,
    [Buffer.from(record.address, 'hex'), denom],
  )
  const [row] = rows
  if (denom === 'utia')
    return { table: 'address', key: `\\x${record.address}`, column: 'spendable', amount: row?.spendable ?? null }
  return row && { table: 'balance', key: `${row.id} ${denom}`, column: 'amount', amount: row.amount }
}
