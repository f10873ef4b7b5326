/** Staking state of a chain that continues where another one stopped, as an exported genesis document holds it. */

export const dec = (whole: bigint) => `${whole}.000000000000000000`

export function exportedValidator(
  { operator, key }: { operator: string; key: Uint8Array },
  moniker: string,
  { tokens, shares = tokens, jailed = false }: { tokens: bigint; shares?: bigint; jailed?: boolean },
) {
  return {
    operator_address: operator,
    consensus_pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: Buffer.from(key).toString('base64') },
    jailed,
    status: jailed ? 'BOND_STATUS_UNBONDED' : 'BOND_STATUS_BONDED',
    tokens: String(tokens),
    delegator_shares: dec(shares),
    description: { moniker, identity: '', website: '', security_contact: '', details: '' },
    commission: { commission_rates: { rate: '0.2', max_rate: '0.6', max_change_rate: '0.01' } },
    min_self_delegation: '1',
  }
}

export const exportedDelegation = (delegator: string, operator: string, shares: bigint) => ({
  delegator_address: delegator,
  validator_address: operator,
  shares: dec(shares),
})
