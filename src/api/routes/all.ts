import type { RouteGroup } from '../route.ts'
import { accountRoutes } from './address/account.ts'
import { addressActivityRoutes } from './address/activity.ts'
import { grantRoutes } from './address/grant.ts'
import { addressStakingRoutes } from './address/staking.ts'
import { blobRoutes } from './blob.ts'
import { blockRoutes } from './block.ts'
import { forwardingRoutes } from './forwarding.ts'
import { gasRoutes } from './gas.ts'
import { generalRoutes } from './general.ts'
import { accountHistoryRoutes } from './history/account.ts'
import { stakeHistoryRoutes } from './history/stake.ts'
import { supplyRoutes } from './history/supply.ts'
import { igpRoutes } from './hyperlane/igp.ts'
import { mailboxRoutes } from './hyperlane/mailbox.ts'
import { hyperlaneTokenRoutes } from './hyperlane/token.ts'
import { hyperlaneTransferRoutes } from './hyperlane/transfer.ts'
import { ibcChannelRoutes } from './ibc/channel.ts'
import { ibcClientRoutes } from './ibc/client.ts'
import { ibcConnectionRoutes } from './ibc/connection.ts'
import { ibcTransferRoutes } from './ibc/transfer.ts'
import { namespaceRoutes } from './namespace.ts'
import { proofRoutes } from './proof.ts'
import { proposalRoutes } from './proposal.ts'
import { rollupExportRoutes } from './rollup/export.ts'
import { rollupRoutes } from './rollup/info.ts'
import { searchRoutes } from './search.ts'
import { signalRoutes } from './signal.ts'
import { stateProofRoutes } from './state-proof.ts'
import { addressStatsRoutes } from './stats/address.ts'
import { namespaceStatsRoutes } from './stats/namespace.ts'
import { priceRoutes } from './stats/price.ts'
import { recentRoutes } from './stats/recent.ts'
import { rollupStatsRoutes } from './stats/rollup.ts'
import { seriesRoutes } from './stats/series.ts'
import { stakingStatsRoutes } from './stats/staking.ts'
import { summaryRoutes } from './stats/summary.ts'
import { transferStatsRoutes } from './stats/transfer.ts'
import { validatorStatsRoutes } from './stats/validator.ts'
import { txRoutes } from './tx.ts'
import { validatorActivityRoutes } from './validator/activity.ts'
import { validatorRoutes } from './validator/info.ts'
import { vestingRoutes } from './vesting.ts'
import { zkismRoutes } from './zkism.ts'

/** Every group of the key surface, one line each. */
export const allRoutes: RouteGroup[] = [
  generalRoutes,
  blockRoutes,
  txRoutes,
  blobRoutes,
  proofRoutes,
  namespaceRoutes,
  searchRoutes,
  gasRoutes,
  accountRoutes,
  addressActivityRoutes,
  grantRoutes,
  addressStakingRoutes,
  accountHistoryRoutes,
  validatorRoutes,
  stakeHistoryRoutes,
  supplyRoutes,
  validatorActivityRoutes,
  rollupRoutes,
  rollupExportRoutes,
  proposalRoutes,
  vestingRoutes,
  ibcClientRoutes,
  ibcConnectionRoutes,
  ibcChannelRoutes,
  ibcTransferRoutes,
  mailboxRoutes,
  hyperlaneTokenRoutes,
  igpRoutes,
  hyperlaneTransferRoutes,
  zkismRoutes,
  signalRoutes,
  forwardingRoutes,
  seriesRoutes,
  summaryRoutes,
  recentRoutes,
  namespaceStatsRoutes,
  stakingStatsRoutes,
  transferStatsRoutes,
  priceRoutes,
  rollupStatsRoutes,
  validatorStatsRoutes,
  addressStatsRoutes,
  stateProofRoutes,
]
