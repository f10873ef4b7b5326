import { Invariant } from '../../lib/errors.ts'
import type { AccountEffect } from '../../types/effects.ts'
import type { PackedBlock } from '../pack/pack-block.ts'
import type { AddressRow } from '../state/account-tables.ts'
import type { Wanted } from '../state/loader.ts'
import type { State } from '../state/state.ts'
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

/** Coin movements. Invariant I7: no balance below zero at the end of a block, the sum of all balances is the supply. */
export function createAccountsFamily(state: State): FamilyOf<AccountEffect> {
  return {
    prepare(block: PackedBlock, want: Wanted, idOf) {
      for (const [index, denom] of block.coins) {
        if (denom === NATIVE_DENOM) continue
        const id = idOf(block.addresses[index]!)
        if (id !== undefined) want.row(state.balance, id, denom)
      }
    },

    apply({ block, addressIds }: BlockInput) {
      for (const [index, denom, delta] of block.coins) {
        const left =
          denom === NATIVE_DENOM
            ? moveNative(state, block.addresses[index]!, delta)
            : moveOther(state, addressIds[index]!, denom, delta)
        if (left < 0n) {
          throw new Invariant('negative_balance', `block ${block.height} leaves ${left} ${denom} on ${block.addresses[index]}`, {
            height: block.height,
            address: block.addresses[index],
            denom,
            amount: left.toString(),
          })
        }
      }
      for (const { denom, delta } of block.supply) {
        const row = state.supply.edit(denom)
        if (row) row.amount += delta
        else state.supply.insert({ denom, amount: delta })
      }
    },

    effects: {
      'account-name': (_input, { address, name }) => {
        state.address.edit(address)!.name = name
      },
    },
  }
}

function moveNative(state: State, address: string, delta: bigint): bigint {
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
