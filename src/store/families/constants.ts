import type { ConstantChange, EffectOf } from '../../types/effects.ts'
import type { State } from '../state/state.ts'
import type { FamilyOf } from './family.ts'

/** Rows are touched only where the value is another one: nodes repeat their consensus parameters with every block. */
export function setConstants(state: State, changes: readonly ConstantChange[]): void {
  for (const { module, name, value } of changes) {
    const known = state.constant.get(module, name)
    if (!known) state.constant.insert({ module, name, value })
    else if (known.value !== value) state.constant.edit(module, name)!.value = value
  }
}

/** A period in nanoseconds; 0 when the chain has no such parameter. */
export function readPeriod(state: State, module: string, name: string): bigint {
  const value = state.constant.get(module, name)?.value ?? ''
  return /^\d+$/.test(value) ? BigInt(value) : 0n
}

/** Parameters of the chain's modules and the descriptions of its denominations. */
export function createConstantsFamily(state: State): FamilyOf<EffectOf<'set-constants' | 'denom-metadata'>> {
  return {
    effects: {
      'set-constants': (_input, { constants }) => setConstants(state, constants),
      'denom-metadata': (_input, { kind: _, ...row }) => {
        const known = state.denomMetadata.edit(row.base)
        if (known) Object.assign(known, row)
        else state.denomMetadata.insert(row)
      },
    },
  }
}
