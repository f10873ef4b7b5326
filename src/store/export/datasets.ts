import { blobs, blocks, events, messages, txs } from './chain.ts'
import type { AnyDataset } from './dataset.ts'
import { proposals, validators, votes } from './entities.ts'
import { balanceChanges, balances, rewards } from './money.ts'
import { accounts, namespaces } from './names.ts'
import { prices, rollupProviders, rollups } from './offchain.ts'
import { jails, signals, signatures, stakeMoves, uptimeHours } from './staking.ts'
import { forwardings, hyperlaneTransfers, ibcTransfers } from './transfers.ts'

/** Everything that can be exported, one line each. */
export const DATASETS: readonly AnyDataset[] = [
  blocks,
  txs,
  messages,
  events,
  blobs,
  ibcTransfers,
  hyperlaneTransfers,
  forwardings,
  balanceChanges,
  rewards,
  balances,
  stakeMoves,
  jails,
  signals,
  signatures,
  uptimeHours,
  accounts,
  namespaces,
  validators,
  proposals,
  votes,
  rollups,
  rollupProviders,
  prices,
]
