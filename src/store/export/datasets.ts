import { blobs, blocks, messages, txs } from './chain.ts'
import type { Dataset } from './dataset.ts'
import { balanceChanges, balances, rewards } from './money.ts'
import { forwardings, hyperlaneTransfers, ibcTransfers, jails, signals, stakeMoves } from './moves.ts'
import { accounts, namespaces } from './names.ts'

/** Everything that can be exported, one line each. */
export const DATASETS: readonly Dataset[] = [
  blocks,
  txs,
  messages,
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
  accounts,
  namespaces,
]
