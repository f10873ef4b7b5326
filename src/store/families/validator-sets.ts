import type { EffectOf } from '../../types/effects.ts'
import type { State } from '../state/state.ts'
import type { BlockInput, Family } from './family.ts'

/** Every power that a validator ever had, so that the set of any height can be told. */
export function createValidatorSetsFamily({ consensusKey }: State): Family {
  const keyIdOf = (publicKey: string): number => {
    const known = consensusKey.get(publicKey)
    if (known) return known.id
    const id = [...consensusKey.all()].length + 1
    consensusKey.insert({ public_key: publicKey, id })
    return id
  }
  return {
    effects: {
      'validator-power': ({ rows, height }: BlockInput, { publicKey, power }: EffectOf<'validator-power'>) => {
        // The chain admits no other kind of key.
        if (publicKey !== undefined) rows.row('consensus_power', { height, key_id: keyIdOf(publicKey), power })
      },
    },
  }
}
