import { decodeFunctionData, encodeFunctionData, parseAbi, parseTransaction } from 'viem'
import type { Hex } from '../settings.ts'

/** The contract that makes many calls in one transaction; it has the same address on every chain that has it. */
export const MULTICALL3: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11'

const ABI = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
])

/** Gas of the contract itself, and of each call beside its own. */
export const BATCH_GAS = { base: 40_000n, each: 12_000n }

/** Calls that may fail one by one: a bad payment spoils no other. */
export function encodeCalls(target: Hex, calls: readonly Hex[]): Hex {
  const args = calls.map((callData) => ({ target, allowFailure: true, callData }))
  return encodeFunctionData({ abi: ABI, functionName: 'aggregate3', args: [args] })
}

export const isBatch = (to: string | null | undefined): boolean => to?.toLowerCase() === MULTICALL3.toLowerCase()

/** How many payments share a signed transaction, and so its gas. What cannot be read was not signed as a batch. */
export function countCalls(raw: Hex): number {
  try {
    const { to, data } = parseTransaction(raw)
    return isBatch(to) && data ? decodeFunctionData({ abi: ABI, data }).args[0].length : 1
  } catch {
    return 1
  }
}
