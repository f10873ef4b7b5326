/** Meanings of inputs that are the same on every route that has them. A description in the schema of a route comes before these. */
const MEANINGS: Readonly<Record<string, string>> = {
  category: 'categories of rollups, any of them, separated by commas',
  chain_id: 'id of the chain on the other side',
  channel_id: 'IBC channel of this chain, such as channel-0',
  client_id: 'IBC client of this chain, such as 07-tendermint-0',
  column: 'column that is counted or grouped by',
  connection_id: 'IBC connection of this chain, such as connection-0',
  currency: 'currency of the price',
  delivery: 'id of the delivery',
  denom: 'denomination of the coin, utia by default',
  domain: 'Hyperlane domain of the other chain',
  excluded_msg_type: 'message types to leave out, separated by commas',
  format: 'form of the answer',
  func: 'how values are put together',
  function: 'how the values of the column are put together',
  hash: 'hash',
  is_active: 'only rollups that post now, or only those that do not',
  jailed: 'only jailed validators, or only those that are not',
  limit: 'rows of a page',
  module: 'name of a module of the chain',
  msg_type: 'message types, any of them, separated by commas',
  name: 'what is measured',
  names: 'what is measured, several separated by commas',
  namespaces: 'namespaces in base64, any of them, separated by commas',
  option: 'options of votes, any of them, separated by commas',
  priority: 'how soon the transaction should be taken',
  provider: 'providers of data availability, any of them, separated by commas',
  query: 'hash, address, name or number to look for',
  signers: 'addresses that signed, any of them, separated by commas',
  sort: 'order: ascending or descending',
  sort_by: 'what rows are ordered by',
  stack: 'stacks of rollups, any of them, separated by commas',
  state: 'state of the delivery',
  status: 'states, any of them, separated by commas',
  table: 'table that is summed up',
  tags: 'tags of rollups, any of them, separated by commas',
  timeframe: 'length of each period',
  type: 'types, any of them, separated by commas',
  validator: 'id of the validator',
  validator_id: 'id of the validator',
  voter: 'who voted: accounts or validators',
  window: 'how far back it is counted',
}

/** Meaning of an input of an operation about `noun`. */
export function meaningOf(name: string, noun: string): string | undefined {
  if (name === 'id') return `id of the ${noun}`
  if (name === 'version') return `version of the ${noun}`
  return MEANINGS[name]
}
