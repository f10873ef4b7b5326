/**
 * Blocks, txs and events for tests, as a node would tell them: give them to `deriveBlock`, and its facts to the real write path.
 * Coins move by events, so a chain that is written has to start from a genesis whose accounts own them.
 */

import { hash } from 'node:crypto'
import { mapHeaderHashes } from '../src/client/proof/header-hashes.ts'
import { unwrapTx } from '../src/decode/blob-tx.ts'
import { layoutSquare, type TxShape } from '../src/decode/square/layout.ts'
import { consensusAddress, encodeAddress } from '../src/lib/encoding/bech32.ts'
import { anAccount } from '../src/simulation/txs/accounts.ts'
import { type GenesisSpec, makeGenesisDocument } from '../src/simulation/txs/genesis.ts'
import type { BuiltTx } from '../src/simulation/txs/tx.ts'
import type { ChainBlock, ChainEvent } from '../src/types/chain.ts'

export * from '../src/simulation/txs/accounts.ts'
export * from '../src/simulation/txs/bank.ts'
export * from '../src/simulation/txs/blob.ts'
export * from '../src/simulation/txs/events.ts'
export * from '../src/simulation/txs/tx.ts'

export const CHAIN_ID = 'astrolabe-built-1'
const GENESIS_TIME = Date.parse('2026-01-01T00:00:00Z')
const SECONDS_PER_BLOCK = 6

/** A validator by name: its operator is the account of that name. `consAddress` is upper-case hex, `consText` its bech32 form. */
export function aValidator(name: string): {
  hex: string
  text: string
  operator: string
  key: Uint8Array
  consAddress: string
  consText: string
} {
  const key = new Uint8Array(hash('sha256', `consensus key ${name}`, 'buffer'))
  const consAddress = consensusAddress(key)
  return { ...anAccount(name), key, consAddress, consText: encodeAddress('celestiavalcons', consAddress.toLowerCase()) }
}

export type ChainBlockSpec = Partial<Omit<ChainBlock, 'txs' | 'txResults' | 'events' | 'beginEventsCount' | 'height'>> & {
  txs?: BuiltTx[]
  begin?: ChainEvent[]
  end?: ChainEvent[]
  /** blocks of one branch are linked by hash; another word makes another chain of the same heights */
  branch?: string
}

export function aBlock(
  height: number,
  { txs = [], begin = [], end = [], branch = 'main', ...rest }: ChainBlockSpec = {},
): ChainBlock {
  const layout = layoutSquare(txs.map(shapeOf))
  const upper = (text: string) => hash('sha256', text, 'hex').toUpperCase()
  return {
    height,
    chainId: CHAIN_ID,
    time: blockTime(height),
    versionBlock: 11,
    versionApp: 9,
    hash: blockHash(height, branch),
    parentHash: height <= 1 ? '' : blockHash(height - 1, branch),
    hashes: {
      ...mapHeaderHashes((name) => upper(`${name} ${height}`)),
      next_validators_hash: upper(`validators_hash ${height + 1}`),
    },
    proposerAddress: aValidator('proposer').consAddress,
    squareSize: layout.size,
    lastCommit: { height: height - 1, signatures: [] },
    evidence: [],
    validatorUpdates: [],
    ...rest,
    txs: txs.map(({ bytes }) => bytes),
    txResults: txs.map(({ result }) => result),
    events: [...begin, ...end],
    beginEventsCount: begin.length,
  }
}

function shapeOf({ bytes }: BuiltTx): TxShape {
  try {
    const { kind, inner, blobs } = unwrapTx(bytes)
    return { kind: kind === 'blob' ? 'blob' : 'plain', inner, blobs }
  } catch {
    // Tests may put anything into a block.
    return { kind: 'plain', inner: bytes, blobs: [] }
  }
}

export function blockTime(height: number): string {
  return new Date(GENESIS_TIME + height * SECONDS_PER_BLOCK * 1000).toISOString()
}

export function blockHash(height: number, branch = 'main'): string {
  return hash('sha256', `block ${branch} ${height}`, 'hex').toUpperCase()
}

/** `validators` by name: the operator is the account of that name. */
export type TestGenesis = Pick<GenesisSpec, 'balances' | 'appState'> & { validators?: { name: string; stake: bigint }[] }

export function aGenesis({ validators = [], ...spec }: TestGenesis = {}): Record<string, unknown> {
  const made = validators.map(({ name, stake }) => ({ ...aValidator(name), name, stake }))
  return makeGenesisDocument({ chainId: CHAIN_ID, time: blockTime(0), ...spec, validators: made })
}
