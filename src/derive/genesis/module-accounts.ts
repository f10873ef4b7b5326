/** Accounts of modules: they exist from the start, though few genesis documents list them. */
export const MODULE_ACCOUNTS = [
  'fee_collector',
  'mint',
  'bonded_tokens_pool',
  'not_bonded_tokens_pool',
  'distribution',
  'gov',
  'transfer',
  'interchainaccounts',
  'hyperlane',
  'warp',
  'forwarding',
  'fibre',
] as const
