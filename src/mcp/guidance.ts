/** When an agent should use each tool, and what comes back: the part of a description that helps to choose. */
export const GUIDANCE: Readonly<Record<string, { when: string; gives: string }>> = {
  getHead: {
    when: 'to learn how far the index is and what the chain has in total',
    gives: 'last height and time, totals of txs, accounts, fees and bytes',
  },
  getConstants: {
    when: 'for parameters of the chain, such as gas per blob byte or the unbonding time',
    gives: 'parameters by module, as texts',
  },
  listBlocks: {
    when: 'for recent blocks, or blocks in order',
    gives: 'blocks with height, time, hash and, with stats, their numbers',
  },
  getBlock: { when: 'for one block whose height is known, or the latest', gives: 'the block with hash, time, proposer' },
  getBlockStats: { when: 'for the size, fees, gas or tx count of one block', gives: 'its statistics' },
  listAddresses: {
    when: 'for the richest accounts, or accounts by stake or activity (sort_by)',
    gives: 'accounts with spendable, delegated and unbonding amounts in utia',
  },
  getAddress: { when: 'for the balance of an account', gives: 'its spendable, delegated and unbonding amounts in utia' },
  listAddressTransactions: { when: 'for what an account did', gives: 'its transactions' },
  listTransactions: {
    when: 'for recent transactions, of a type, a status or a time',
    gives: 'transactions with fee, gas, status and message types',
  },
  getTransaction: { when: 'for one transaction whose hash is known', gives: 'its height, fee, gas, status, signers and error' },
  listTransactionMessages: { when: 'for what a transaction does', gives: 'its messages with type and data' },
  listBlobs: {
    when: 'for recent blobs, of a namespace or a signer',
    gives: 'blobs with size, commitment, namespace, height and signer',
  },
  listNamespaces: { when: 'for the largest or busiest namespaces', gives: 'namespaces with size and number of blobs' },
  listNamespaceBlobs: { when: 'for what was posted to one namespace', gives: 'its blobs' },
  getNamespaceByHash: { when: 'for one namespace in its base64 form', gives: 'its size and number of blobs' },
  listValidators: {
    when: 'for validators by stake, or to find the id of one',
    gives: 'validators with id, moniker, stake, commission',
  },
  getValidator: { when: 'for one validator whose id is known', gives: 'its stake, commission, rewards and whether it is jailed' },
  listRollups: {
    when: 'for rollups by size, fees or blobs, or to find the id of one',
    gives: 'rollups with what they posted and paid',
  },
  getRollup: { when: 'for one rollup whose id is known', gives: 'what it posted and paid, its links' },
  search: {
    when: 'when only a hash, an address, a name or a number is given',
    gives: 'what it may be: block, tx, address, namespace, validator, rollup',
  },
  getTps: { when: 'for the throughput of the chain', gives: 'transactions per second over the window' },
  getSeries: { when: 'for how something developed over hours, days or months', gives: 'a value per period' },
  getPrice: { when: 'for the price of TIA in dollars', gives: 'the last price and its time' },
}
