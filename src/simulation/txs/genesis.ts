/** `key`: the ed25519 consensus key. `commission` is a decimal text. */
export type GenesisValidator = { name: string; operator: string; key: Uint8Array; stake: bigint; commission?: string }

export type GenesisSpec = {
  chainId: string
  time: string
  /** utia by address text */
  balances?: Record<string, bigint>
  /** made by genesis txs, with their stake in utia; their operators need a balance of at least that and the fee of 2000 */
  validators?: GenesisValidator[]
  /** merged into `app_state` */
  appState?: Record<string, unknown>
}

/** A small genesis document of the newest layout. */
export function makeGenesisDocument(spec: GenesisSpec): Record<string, unknown> {
  const { chainId, time, balances = {}, validators = [], appState = {} } = spec
  const supply = Object.values(balances).reduce((sum, amount) => sum + amount, 0n)
  const coins = (amount: bigint) => [{ denom: 'utia', amount: String(amount) }]
  return {
    genesis_time: time,
    chain_id: chainId,
    initial_height: '1',
    consensus_params: {
      block: { max_bytes: '33554432', max_gas: '-1' },
      evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
      validator: { pub_key_types: ['ed25519'] },
      version: { app: '9' },
    },
    app_state: {
      auth: {
        params: { max_memo_characters: '256', tx_sig_limit: '7', tx_size_cost_per_byte: '10' },
        accounts: Object.keys(balances).map((address) => ({ '@type': '/cosmos.auth.v1beta1.BaseAccount', address })),
      },
      bank: {
        balances: Object.entries(balances).map(([address, amount]) => ({ address, coins: coins(amount) })),
        supply: coins(supply),
        denom_metadata: [],
      },
      genutil: { gen_txs: validators.map(genesisTx) },
      staking: {
        params: { unbonding_time: '60s', max_validators: 100, bond_denom: 'utia', min_commission_rate: '0.050000000000000000' },
      },
      gov: {
        params: {
          min_deposit: coins(1_000_000_000n),
          max_deposit_period: '30s',
          voting_period: '25s',
          expedited_voting_period: '10s',
          quorum: '0.334000000000000000',
          threshold: '0.500000000000000000',
          veto_threshold: '0.334000000000000000',
        },
      },
      ...appState,
    },
  }
}

function genesisTx({
  name,
  operator,
  key,
  stake,
  commission = '0.100000000000000000',
}: GenesisValidator): Record<string, unknown> {
  const message = {
    '@type': '/cosmos.staking.v1beta1.MsgCreateValidator',
    description: { moniker: name, identity: '', website: '', security_contact: '', details: '' },
    commission: { rate: commission, max_rate: '0.600000000000000000', max_change_rate: '0.200000000000000000' },
    min_self_delegation: '1',
    delegator_address: '',
    validator_address: operator,
    pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: Buffer.from(key).toString('base64') },
    value: { denom: 'utia', amount: String(stake) },
  }
  return {
    body: { messages: [message], memo: `node of ${name}`, timeout_height: '0' },
    auth_info: {
      signer_infos: [],
      fee: { amount: [{ denom: 'utia', amount: '2000' }], gas_limit: '200000', payer: '', granter: '' },
    },
    signatures: [],
  }
}
