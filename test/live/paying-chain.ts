import type { RpcEvent } from '../../src/chain/wire.ts'
import { buildSquare } from '../../src/decode/square/build-square.ts'
import { computeDataRoot } from '../../src/decode/square/data-root.ts'
import { toSquareTx } from '../../src/decode/square/square-tx.ts'
import { toHexUpper } from '../../src/lib/encoding/bytes.ts'
import { type ForgedBlock, forgeBlock } from '../../src/simulation/node/forge.ts'
import { signBlocks } from '../../src/simulation/node/sign.ts'
import type { BuiltTx } from '../../src/simulation/txs/tx.ts'
import type { ChainEvent } from '../../src/types/chain.ts'
import { anAccount, aSend, aTx, blockTime, CHAIN_ID, movedCoins } from '../builders.ts'
import { validatorsAt } from './signed-chain.ts'

/** A signed chain whose txs move coins: heights without any are empty. Validators are those of the signed chain. */
export function makePayingChain(length: number, txsAt: (height: number) => BuiltTx[]): ForgedBlock[] {
  const blocks = Array.from({ length }, (_, i) => {
    const txs = txsAt(i + 1)
    const parts = txs.map(({ bytes }) => toSquareTx(bytes, 9))
    return forgeBlock({
      chainId: CHAIN_ID,
      height: i + 1,
      time: blockTime(i + 1),
      proposer: validatorsAt(1)[0]!.address,
      txs: txs.map(({ bytes }) => bytes),
      txResults: txs.map(({ result }) => ({
        gas_wanted: String(result.gasWanted),
        gas_used: String(result.gasUsed),
        events: result.events.map(toRpcEvent),
      })),
      ...(txs.length > 0 && {
        dataHash: toHexUpper(computeDataRoot(buildSquare(parts))),
      }),
    })
  })
  // Nobody joins: the update that lets a validator in is not among these results.
  signBlocks(blocks, { validators: () => validatorsAt(1) })
  return blocks
}

const toRpcEvent = ({ type, attributes }: ChainEvent): RpcEvent => ({
  type,
  attributes: attributes.map(([key, value]) => ({ key, value, index: true })),
})

export const nameOf = (name: string): string => anAccount(name).text

/** Coins that a message of an unknown kind moves: nothing but its events tells how many. */
export function aGift(from: string, to: string, amount: bigint): BuiltTx {
  const message = { typeUrl: '/astrolabe.test.MsgGive', value: new Uint8Array() }
  return aTx({ from: nameOf(from), actions: [{ message, events: movedCoins(nameOf(from), nameOf(to), `${amount}utia`) }] })
}

export const aPayment = (from: string, to: string, amount: bigint): BuiltTx => aSend(nameOf(from), nameOf(to), amount)

/** Copies of `blocks` of which some tell other events; nothing seals events, so that all hashes and votes stay. */
export function lieAt(
  blocks: readonly ForgedBlock[],
  isFalse: (height: number) => boolean,
  change: (events: RpcEvent[], forged: ForgedBlock) => RpcEvent[],
): ForgedBlock[] {
  return blocks.map((forged) => {
    const result = forged.results.txs_results?.[0]
    if (!result || !isFalse(forged.height)) return forged
    const lie = structuredClone(forged)
    lie.results.txs_results![0]!.events = change(structuredClone(result.events ?? []), lie)
    return lie
  })
}
