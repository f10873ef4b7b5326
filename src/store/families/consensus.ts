import type { State } from '../state/state.ts'
import type { Family } from './family.ts'

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
