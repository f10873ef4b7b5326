import { type Genesis, readGenesis } from '../decode/genesis.ts'
import { decodeAccount, moduleAccount } from '../lib/encoding/bech32.ts'
import { toKeyText } from '../lib/encoding/bytes.ts'
import type { BlockFacts } from '../types/block-facts.ts'
import type { Effect } from '../types/effects.ts'
import { constantsOfConsensus, constantsOfJson, keepKnown } from './constants.ts'
import { emptyBlock } from './empty-block.ts'
import { BlockFold } from './fold.ts'
import { listHyperlaneState } from './genesis/hyperlane.ts'
import { listIbcState } from './genesis/ibc.ts'
import { MODULE_ACCOUNTS } from './genesis/module-accounts.ts'
import { listStakingState } from './genesis/staking.ts'
import { listGrants, listProposals } from './genesis/state.ts'
import { deriveGenesisTxs } from './genesis/txs.ts'
import { cutToMicros } from './time.ts'
import { toVesting } from './vesting.ts'

/** The genesis document as a pseudo-block before the first height. Fails when the document is no genesis: there is nothing to continue from. */
export function deriveGenesis(document: unknown): { facts: BlockFacts; chainId: string; initialHeight: number } {
  const genesis = readGenesis(document)
  const time = cutToMicros(genesis.time)
  const fold = new BlockFold()

  foldAccounts(genesis, time, fold)
  const supplyUtia = foldSupply(genesis, fold)
  fold.emit(listConstants(genesis))
  fold.emit(genesis.denoms.map((denom): Effect => ({ kind: 'denom-metadata', ...denom })))
  const txs = deriveGenesisTxs(genesis, time, fold)
  fold.emit(listStakingState(genesis.staking, genesis.appState.distribution))
  fold.emit(listIbcState(genesis.appState.ibc))
  fold.emit(listHyperlaneState(genesis.appState))
  fold.emit(listProposals(genesis.appState.gov))
  fold.emit(listGrants(genesis))
  fold.emit(MODULE_ACCOUNTS.map((name): Effect => ({ kind: 'account-name', address: moduleAccount(name), name })))

  const empty = emptyBlock({ height: genesis.initialHeight - 1, time, versionApp: genesis.versionApp })
  const facts: BlockFacts = {
    ...empty,
    stats: { ...empty.stats, txCount: txs.length, supplyChange: supplyUtia },
    txs,
    messages: fold.messages,
    addresses: [...fold.addresses],
    coins: fold.ledger.coins,
    supply: fold.ledger.listSupply(),
    effects: fold.effects,
    unknownMessages: Array.from(fold.unknownMessages, ([typeUrl, count]) => ({ typeUrl, count })),
  }
  return { facts, chainId: genesis.chainId, initialHeight: genesis.initialHeight }
}

/** Every account of the document exists from here on, with a balance that may be 0; module accounts too, listed or not. */
function foldAccounts(genesis: Genesis, time: string, fold: BlockFold): void {
  const effects: Effect[] = []
  for (const { address: text, name, vesting } of genesis.accounts) {
    const address = decodeAccount(text)
    if (address === undefined) continue
    fold.ledger.add(address, 'utia', 0n, 'genesis')
    if (name !== undefined) effects.push({ kind: 'account-name', address, name })
    if (!vesting) continue
    const { type, startTime: start, endTime: end } = vesting
    const steps = vesting.periods.map(({ length, coins }) => ({ length, amount: utiaOfCoins(coins) }))
    effects.push(toVesting(address, { type, amount: utiaOfCoins(vesting.coins), start, end, steps }, time))
  }
  for (const { address: text, coins } of genesis.balances) {
    const address = decodeAccount(text)
    if (address === undefined) continue
    for (const { denom, amount } of coins) fold.ledger.add(address, toKeyText(denom), amount, 'genesis')
  }
  for (const name of MODULE_ACCOUNTS) fold.ledger.add(moduleAccount(name), 'utia', 0n, 'genesis')
  fold.emit(effects)
}

function utiaOfCoins(coins: readonly { denom: string; amount: bigint }[]): bigint {
  return coins.reduce((sum, { denom, amount }) => (denom === 'utia' ? sum + amount : sum), 0n)
}

/** As the document states it, else the sum of the balances. Returns that of utia. */
function foldSupply({ supply, balances }: Genesis, fold: BlockFold): bigint {
  const coins = supply.length > 0 ? supply : balances.flatMap((balance) => balance.coins)
  for (const { denom, amount } of coins) fold.ledger.changeSupply(toKeyText(denom), amount, 'genesis')
  return utiaOfCoins(coins)
}

function listConstants({ consensus, params }: Genesis): Effect[] {
  const constants = [
    ...constantsOfConsensus(consensus),
    ...keepKnown(params.flatMap(({ module, values }) => constantsOfJson(module, values))),
  ]
  return [{ kind: 'set-constants', constants }]
}
