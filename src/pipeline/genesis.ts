import { createHash } from 'node:crypto'
import type { ChainSource } from '../chain/source.ts'
import { deriveGenesis } from '../derive/genesis.ts'
import { packBlock } from '../store/pack/pack-block.ts'
import { stableJson } from '../store/state/column.ts'
import type { ChainIdentity, Writer } from '../store/writer.ts'
import type { Json } from '../types/effects.ts'

export type Genesis = ChainIdentity & { document: Json }

/** Nodes format the document differently: the identity is the hash of its content with sorted keys. */
export async function readGenesis(source: ChainSource, signal: AbortSignal): Promise<Genesis> {
  const document = JSON.parse(Buffer.from(await source.genesis(signal)).toString('utf8')) as Json
  const genesisHash = createHash('sha256').update(stableJson(document)).digest('hex')
  const chainId = (document as { chain_id?: string }).chain_id ?? ''
  return { document, chainId, genesisHash }
}

/** Writes the pseudo-block before the first height when the index is empty. */
export async function ensureGenesis(writer: Writer, genesis: Genesis): Promise<void> {
  if (writer.head) return writer.checkIdentity(genesis)
  await writer.commitGenesis(packBlock(deriveGenesis(genesis.document).facts), genesis)
}
