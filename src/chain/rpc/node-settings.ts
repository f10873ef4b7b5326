/** Settings that a node needs before it executes blocks; none can be repaired afterwards. */

export const PRUNED_ADVICE =
  'use an archive node, synced from genesis without state sync and with min-retain-blocks = 0 in its app.toml; ' +
  'a node does not get blocks back that it pruned or never had. ' +
  'For recent blocks without accounts and stake, set networks[].from_height above its earliest height'

export const RESULTS_ADVICE =
  'set discard_abci_responses = false in [storage] of its config.toml before it executes the blocks; ' +
  'it cannot get the results back afterwards, so sync it again from genesis or use an archive node that kept them'
