import { pbkdf2Sync } from 'node:crypto'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import type { Hex } from '../settings.ts'

/** Chain id that everyone uses for test chains: no wallet holds anything of value there. */
export const LOCAL_CHAIN_ID = 31337

export const TOKEN_NAME = 'USD Coin'
export const TOKEN_VERSION = '2'
export const TOKEN_DECIMALS = 6

/** The test phrase that all tools for local chains share; its accounts are worth nothing anywhere. */
const PHRASE = 'test test test test test test test test test test test junk'

/** BIP-39, by the native function: the one in JavaScript takes 0.1 s, and a start asks for several accounts. */
const root = HDKey.fromMasterSeed(pbkdf2Sync(PHRASE, 'mnemonic', 2048, 64, 'sha512'))
const accountAt = (addressIndex: number) => hdKeyToAccount(root, { addressIndex })
const keyAt = (addressIndex: number): Hex => `0x${Buffer.from(accountAt(addressIndex).getHdKey().privateKey!).toString('hex')}`

export const DEPLOYER: Hex = accountAt(0).address
export const RECIPIENT: Hex = accountAt(2).address
/** Buys things in the demonstration. */
export const demoPayerKey = (): Hex => keyAt(3)
/** More payers for tests. */
export const payerKey = (index: number): Hex => keyAt(3 + index)
export const addressAt = (index: number): Hex => accountAt(3 + index).address

/** Thousand dollars for each payer. */
export const FUNDING = 1_000_000_000n
export const PAYERS = 5

/** Coins of a test chain are worth nothing, so gas may cost any number of them. */
export const WORTHLESS_GAS = { maxGas: 300_000, nativeUsd: 0, maxGasCostPercent: 1000 }
