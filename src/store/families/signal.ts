import type { EffectOf, SignalEffect } from '../../types/effects.ts'
import { amount, int, oneOf, orNull, time } from '../state/column.ts'
import type { State } from '../state/state.ts'
import { defineTable, type RowOf } from '../state/table-def.ts'
import type { BlockInput, FamilyOf } from './family.ts'
import { upgradeProtocol } from './protocol-upgrade.ts'
import { messageIdOf, numbered, txIdOf } from './row-ids.ts'
import { lastPowerOf, validatorByOperator } from './validators.ts'

/**
 * Signals of validators for an app version, and the upgrades they lead to. Powers of an upgrade are those of the
 * block before the last signal or try-upgrade, as the chain counts them; a validator stands behind the version it signalled last.
 */
export function createSignalFamily(state: State): FamilyOf<SignalEffect> {
  const upgrades = state.table(upgradeTable)

  const totalPower = (): bigint => {
    let power = 0n
    for (const row of state.validatorPower.all()) power += row.power
    return power
  }

  const votedPower = (version: number): bigint => {
    let power = 0n
    for (const row of state.validator.all()) if (row.version === version) power += lastPowerOf(state, row.id)
    return power
  }

  const recount = () => {
    const total = totalPower()
    for (const { version, status } of upgrades.all()) {
      if (status !== 'processing') continue
      const upgrade = upgrades.edit(version)!
      upgrade.voting_power = total
      upgrade.voted_power = votedPower(version)
    }
  }

  const signal = (input: BlockInput, effect: EffectOf<'signal'>) => {
    const known = validatorByOperator(state, effect.operator)
    if (!known) return
    const validator = state.validator.edit(known.id)!
    // Any 64-bit number may be signalled; what a column cannot hold must not stop the index.
    const version = Math.min(effect.version, Number.MAX_SAFE_INTEGER)
    validator.version = version
    input.rows.row('signal_version', {
      ...numbered(input, 'signal_version'),
      tx_id: txIdOf(input, effect),
      validator_id: validator.id,
      version,
      voting_power: validator.stake,
    })
    // A signal for the version that already runs takes back an earlier one; it leads nowhere.
    if (version > input.block.versionApp) {
      const upgrade = upgrades.edit(version) ?? upgrades.insert(newUpgrade(input, version))
      upgrade.signals_count++
    }
    recount()
  }

  const tryUpgrade = (input: BlockInput, effect: EffectOf<'try-upgrade'>) => {
    recount()
    for (const { version, status, voted_power, voting_power } of upgrades.all()) {
      if (status !== 'processing' || version <= input.block.versionApp) continue
      if (voting_power === 0n || voted_power * 6n < voting_power * 5n) continue
      const upgrade = upgrades.edit(version)!
      upgrade.status = 'waiting_upgrade'
      upgrade.end_height = input.height
      upgrade.end_time = input.time
      upgrade.signer_id = input.accountId(effect.signer)
      upgrade.tx_id = txIdOf(input, effect)
      upgrade.message_id = messageIdOf(input, effect)
    }
  }

  /** The version changes before anything else of the block happens; the head row still tells of the block before. */
  const switchVersion = (input: BlockInput) => {
    const version = input.block.versionApp
    const before = state.head.get('true')?.version ?? 0
    // Genesis, and a genesis that does not tell its version, make no upgrade.
    if (input.height === 0 || before === 0 || version <= before) return
    const upgrade = upgrades.edit(version) ?? upgrades.insert({ ...newUpgrade(input, version), voting_power: totalPower() })
    upgrade.status = 'applied'
    upgrade.applied_at_level = input.height
    upgrade.applied_at = input.time
    upgradeProtocol(state, before, version)
    // The chain forgets all signals here: those for later versions must not count when the next ones come in.
    for (const row of state.validator.all()) if (row.version > version) state.validator.edit(row.id)!.version = version
  }

  return { begin: switchVersion, effects: { signal, 'try-upgrade': tryUpgrade } }
}

const newUpgrade = (input: BlockInput, version: number) => ({
  version,
  height: input.height,
  time: input.time,
  end_height: null,
  end_time: null,
  applied_at_level: null,
  applied_at: null,
  signer_id: null,
  tx_id: null,
  message_id: null,
  voting_power: 0n,
  voted_power: 0n,
  signals_count: 0,
  status: 'processing' as const,
})

export const upgradeTable = defineTable({
  name: 'upgrade',
  key: ['version'],
  residence: 'all',
  columns: {
    version: int,
    height: int,
    time,
    end_height: orNull(int),
    end_time: orNull(time),
    applied_at_level: orNull(int),
    applied_at: orNull(time),
    signer_id: orNull(int),
    tx_id: orNull(int),
    message_id: orNull(int),
    voting_power: amount,
    voted_power: amount,
    signals_count: int,
    status: oneOf('processing', 'waiting_upgrade', 'applied'),
  },
})

export type UpgradeRow = RowOf<typeof upgradeTable>
