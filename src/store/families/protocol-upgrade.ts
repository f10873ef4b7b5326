import type { ConstantChange } from '../../types/effects.ts'
import { decFromText } from '../state/column.ts'
import type { State } from '../state/state.ts'
import { setConstants } from './constants.ts'

type ProtocolChange = { version: number; constants: ConstantChange[]; minRate?: string; minMaxRate?: string }

/**
 * Changes that the chain's upgrade code makes to a module's state: no event, no proposal and no consensus update tells of it.
 * Block limits and evidence windows are not here, those are announced as consensus updates.
 */
const PROTOCOL_CHANGES: ProtocolChange[] = [
  { version: 2, constants: [{ module: 'minfee', name: 'network_min_gas_price', value: '0.000001000000000000' }] },
  {
    version: 6,
    constants: [
      { module: 'staking', name: 'unbonding_time', value: '1213200000000000' },
      { module: 'staking', name: 'min_commission_rate', value: '0.100000000000000000' },
      { module: 'slashing', name: 'signed_blocks_window', value: '10000' },
    ],
    minRate: '0.1',
  },
  {
    version: 7,
    constants: [
      { module: 'staking', name: 'min_commission_rate', value: '0.200000000000000000' },
      { module: 'staking', name: 'max_commission_rate', value: '0.600000000000000000' },
    ],
    minRate: '0.2',
    minMaxRate: '0.6',
  },
]

/** Brings the state from one app version to a higher one; versions we do not know change nothing. */
export function upgradeProtocol(state: State, from: number, to: number): void {
  for (const { version, constants, minRate, minMaxRate } of PROTOCOL_CHANGES) {
    if (version <= from || version > to) continue
    setConstants(state, constants)
    if (minRate !== undefined) raiseCommissions(state, decFromText(minRate), decFromText(minMaxRate ?? '0'))
  }
}

const atLeast = (floor: bigint, value: bigint): bigint => {
  if (value < floor) return floor
  return value
}

function raiseCommissions(state: State, minRate: bigint, minMaxRate: bigint): void {
  for (const { id, rate, max_rate } of state.validator.all()) {
    const newRate = atLeast(minRate, rate)
    // A rate may not stand above its own maximum.
    const newMaxRate = atLeast(newRate, atLeast(minMaxRate, max_rate))
    if (newRate === rate && newMaxRate === max_rate) continue
    const validator = state.validator.edit(id)!
    validator.rate = newRate
    validator.max_rate = newMaxRate
  }
}
