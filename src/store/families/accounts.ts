import { Invariant } from '../../lib/errors.ts'
import type { AccountEffect } from '../../types/effects.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import type { AddressRow } from '../state/account-tables.ts'
import type { Wanted } from '../state/loader.ts'
import type { StakePart } from '../state/stake-moves.ts'
import type { State } from '../state/state.ts'
import { logChange, SUPPLY_ID } from './balance-log.ts'
import type { BlockInput, FamilyOf } from './family.ts'

/** The denomination that stands in the address row itself; all others have rows of their own. */
export const NATIVE_DENOM = 'utia'

/** The account of these bytes, made when the chain names it for the first time: ids are given in that order. */
export function touchAccount(state: State, address: string, height: number): AddressRow {
  const known = state.address.edit(address)
  if (known) {
    known.last_height = height
    return known
  }
  const head = state.head.edit('true')!
  head.total_accounts++
  return state.address.insert({
    id: head.total_accounts,
    address,
    first_height: height,
    last_height: height,
    name: null,
    is_forwarding: false,
    has_native: false,
    spendable: 0n,
    delegated: 0n,
    unbonding: 0n,
  })
}

/** A loaded account by its id, to be changed. */
export function accountById(state: State, id: number): AddressRow {
  const address = state.address.inGroup('id', String(id))[0]?.address
  if (address === undefined) throw new Invariant('row_not_loaded', `address ${id} was not loaded before use`, { id })
  return state.address.edit(address)!
}

/** Changes what an account has staked, and remembers it for its history. */
export function moveStake(state: State, addressId: number, part: StakePart, amount: bigint): void {
  const row = accountById(state, addressId)
  row[part] += amount
  state.stakeMoves.ofAccount(addressId, part, amount, row[part])
}

/** Coin movements. Invariant I7: no balance below zero at the end of a block, the sum of all balances is the supply. */
export function createAccountsFamily(state: State): FamilyOf<AccountEffect> {
  return {
    prepare(block: PackedBlock, want: Wanted, idOf) {
      for (const { address, denom } of block.coins) {
        if (denom === NATIVE_DENOM) continue
        const id = idOf(block.addresses[address]!)
        if (id !== undefined) want.row(state.balance, id, denom)
      }
    },

    apply(input: BlockInput) {
      const { block, addressIds } = input
      for (const coins of block.coins) {
        const addressId = addressIds[coins.address]!
        const balance = move(state, block.addresses[coins.address]!, addressId, coins.denom, coins.delta)
        logChange(state, input, {
          part: 'spendable',
          addressId,
          cause: coins.cause,
          denom: coins.denom,
          tx: coins.tx,
          amount: coins.delta,
          balance,
        })
      }
      for (const { address, denom } of block.coins) refuseDebt(state, block, address, addressIds[address]!, denom)
      for (const { denom, delta, cause } of block.supply) {
        const row = state.supply.edit(denom) ?? state.supply.insert({ denom, amount: 0n })
        row.amount += delta
        logChange(state, input, {
          part: 'supply',
          addressId: SUPPLY_ID,
          cause,
          denom,
          tx: null,
          amount: delta,
          balance: row.amount,
        })
      }
    },

    effects: {
      'account-name': (_input, { address, name }) => {
        state.address.edit(address)!.name = name
      },
    },
  }
}

/** Movements of modules are summed over the block, so that only what is left at its end counts. */
function refuseDebt(state: State, { height, addresses }: PackedBlock, index: number, addressId: number, denom: string): void {
  const address = addresses[index]!
  const left = denom === NATIVE_DENOM ? state.address.get(address)!.spendable : state.balance.get(addressId, denom)!.amount
  if (left >= 0n) return
  const facts = { height, address, denom, amount: left.toString() }
  throw new Invariant('negative_balance', `block ${height} leaves ${left} ${denom} on ${address}`, facts)
}

/** Returns the balance after it. */
function move(state: State, address: string, addressId: number, denom: string, delta: bigint): bigint {
  if (denom !== NATIVE_DENOM) return moveOther(state, addressId, denom, delta)
  const row = state.address.edit(address)!
  row.has_native = true
  row.spendable += delta
  return row.spendable
}

function moveOther(state: State, addressId: number, denom: string, delta: bigint): bigint {
  const row = state.balance.edit(addressId, denom)
  if (!row) return state.balance.insert({ address_id: addressId, denom, amount: delta }).amount
  row.amount += delta
  return row.amount
}
