import type { Static } from 'typebox'
import type { ConstantRow, DenomMetadataRow } from '../../store/read/general.ts'
import type { Head } from '../../store/read/head/head.ts'
import type { Constants, State } from '../schema/general.ts'

/** A head is live when its block is at most this old. */
const SYNCED_WITHIN_MS = 120_000

export function toState(head: Head, network: { name: string }, nowMs: number): Static<typeof State> {
  return {
    id: 1,
    version: head.version,
    name: `astrolabe_${network.name}`,
    chain_id: head.chain_id,
    last_height: head.last_height,
    hash: head.last_hash,
    last_time: head.last_time,
    ...(head.has_state ? totalsOf(head) : { no_state_before: head.first_height }),
    synced: nowMs - Date.parse(head.last_time) <= SYNCED_WITHIN_MS,
  }
}

function totalsOf(head: Head): Partial<Static<typeof State>> {
  return {
    total_tx: head.total_tx,
    total_accounts: head.total_accounts,
    total_fee: head.total_fee,
    total_blobs_size: head.total_blobs_size,
    total_proposals: head.total_proposals,
    total_validators: head.total_validators,
    total_supply: head.total_supply,
    total_voting_power: head.total_voting_power,
    total_namespaces: head.total_namespaces,
    total_ibc_clients: head.total_ibc_clients,
  }
}

/** Values that read as decimals come without trailing zeros (`0.020000000000000000` → `0.02`), others as they are. */
export function toConstants(constants: ConstantRow[], denominations: DenomMetadataRow[]): Static<typeof Constants> {
  const module: Record<string, Record<string, string>> = {}
  for (const { module: owner, name, value } of constants) (module[owner] ??= {})[name] = trimDecimal(value)
  return {
    module,
    denom_metadata: denominations.map((row) => ({
      ...row,
      units: row.units.map(({ denom, exponent, aliases }) => ({ denom, exponent, aliases: aliases ?? [] })),
    })),
  }
}

function trimDecimal(text: string): string {
  return /^-?[0-9]+\.[0-9]+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}
