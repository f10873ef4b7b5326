import { mapHeaderHashes } from '../client/proof/header-hashes.ts'
import type { BlockFacts } from '../types/block-facts.ts'
import type { HeaderFacts } from '../types/facts.ts'

/** A block in which nothing happened: what pseudo-blocks are made from. */
export function emptyBlock(header: Partial<HeaderFacts>): BlockFacts {
  return {
    header: { ...EMPTY_HEADER, ...header },
    stats: {
      txCount: 0,
      eventsCount: 0,
      blobsCount: 0,
      blobsSize: 0,
      gasLimit: 0n,
      gasUsed: 0n,
      feeUtia: 0n,
      supplyChange: 0n,
      inflationRate: 0n,
      rewards: 0n,
      commissions: 0n,
      bytesInBlock: 0,
      squareSize: 0,
    },
    gasPrices: { slow: 0, median: 0, fast: 0 },
    ods: new Uint8Array(),
    events: [],
    txs: [],
    messages: [],
    addresses: [],
    namespaces: [],
    coins: [],
    supply: [],
    rewards: [],
    effects: [],
    unknownMessages: [],
    undecodableTxs: 0,
  }
}

const EMPTY_HEADER: HeaderFacts = {
  height: 0,
  time: '',
  versionBlock: 0,
  versionApp: 0,
  hash: '',
  parentHash: '',
  hashes: mapHeaderHashes(() => ''),
  proposer: '',
  signedBy: [],
}
