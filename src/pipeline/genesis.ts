import { createHash } from 'node:crypto'
import type { ChainSource } from '../chain/source.ts'
import { deriveGenesis } from '../derive/genesis.ts'
import { NodeFault, OperatorError, Transient } from '../lib/errors.ts'
import { packBlock } from '../store/pack/pack-block.ts'
import { stableJson } from '../store/state/column.ts'
import type { ChainIdentity } from '../store/write/identity.ts'
import type { Writer } from '../store/write/writer.ts'
import type { Json } from '../types/effects.ts'
import { beginWithoutState, type StartOptions } from './begin-without-state.ts'

export type Genesis = ChainIdentity & { document: Json }

/** Nodes format the document differently: the identity is the hash of its content with sorted keys. */
function identify(text: Uint8Array): Genesis {
  const document = JSON.parse(Buffer.from(text).toString('utf8')) as Json
  const genesisHash = createHash('sha256').update(stableJson(document)).digest('hex')
  const chainId = (document as { chain_id?: string }).chain_id ?? ''
  return { document, chainId, genesisHash }
}

/**
 * Writes the pseudo-block before the first height when the index is empty; otherwise the source has to be of the same chain. `start` is
 * where an index without state begins.
 */
export async function ensureGenesis(
  source: ChainSource,
  writer: Writer,
  start: StartOptions | undefined,
  signal: AbortSignal,
): Promise<ChainIdentity> {
  if (start && writer.start) checkStart(writer.start, start.from)
  const genesis = identify(await source.genesis(signal))
  if (!writer.head && start) await beginWithoutState(source, writer, genesis, start, signal)
  else if (!writer.head) await writer.commitGenesis(packBlock(deriveGenesis(genesis.document).facts), genesis)
  else if (writer.head.genesis_hash !== genesis.genesisHash && (await hasKnownGenesis(source, writer, signal)))
    return { chainId: writer.head.chain_id, genesisHash: writer.head.genesis_hash }
  else writer.checkIdentity(genesis)
  return genesis
}

/** Where an index begins cannot be changed afterwards. */
function checkStart({ base_height: base, has_state: hasState }: NonNullable<Writer['start']>, from: number): void {
  if (!hasState && base + 1 === from) return
  const begins = hasState ? 'with the state of the chain' : `at height ${base + 1}`
  throw new OperatorError(
    'other_start',
    `networks[].from_height is ${from}, but this index begins ${begins}: correct the setting, or index again into another network`,
    { from },
  )
}

/** Whether any node has the genesis of this index. Then those with another one are put aside; otherwise the settings are wrong. */
async function hasKnownGenesis(source: ChainSource, writer: Writer, signal: AbortSignal): Promise<boolean> {
  const strangers: string[] = []
  let isKnown = false
  for (const witness of source.witnesses()) {
    try {
      writer.checkIdentity(identify(await witness.genesis(signal)))
      isKnown = true
    } catch (error) {
      if (error instanceof OperatorError) strangers.push(witness.origin)
      // One that does not answer is neither.
      else if (!(error instanceof Transient)) throw error
    }
  }
  const reason = 'its genesis is not the one this index was made from'
  if (isKnown) for (const origin of strangers) source.reportFault(origin, new NodeFault('wrong_genesis', reason, { origin }))
  return isKnown
}
