import type { EffectOf } from '../../types/effects.ts'
import type { State } from '../state/state.ts'
import type { BlockInput, Family } from './family.ts'

/** The two validator sets that a block leaves behind: of the next height, and of the one after it, where its own updates count. */
export function createConsensusFamily(state: State): Family {
  const { consensusValidator: table } = state
  return {
    apply({ block }) {
      for (const { address, power, next_power: next } of [...table.all()]) {
        if (power === next) continue
        if (next === 0n) table.remove(address)
        else table.edit(address)!.power = next
      }
      // The set of the genesis signs the first block; its pseudo-block is the one without a hash.
      const isGenesis = block.hash === ''
      for (const effect of block.effects) {
        if (effect.kind !== 'validator-power' || effect.publicKey === undefined) continue
        const address = effect.consAddress.toLowerCase()
        const known = table.edit(address)
        if (known) known.next_power = effect.power
        else if (effect.power > 0n)
          table.insert({
            address,
            public_key: effect.publicKey,
            power: isGenesis ? effect.power : 0n,
            next_power: effect.power,
          })
      }
    },
  }
}

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
