import type { InclusionProof, Subject } from '../../decode/square/inclusion.ts'
import { toHex, toHexUpper } from '../../lib/encoding/bytes.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { BlockSeal } from '../../store/read/proof.ts'
import { requireTxs } from './blob-content.ts'
import type { BlockStore } from './block-store.ts'
import { squareThread } from './thread.ts'

const proving = new SingleFlight<InclusionProof>()

/** The whole square is built again: its root must be the data hash of the indexed header before anything of it is shown. */
export function proveFromBlock(blocks: BlockStore, seal: BlockSeal, subject: Subject): Promise<InclusionProof> {
  const { height, version_app: versionApp, bytes_in_block: bytes } = seal
  const hash = toHex(seal.hash)
  return proving.run(`${hash} ${subject.tx} ${subject.blob ?? ''}`, async () => {
    const txs = await requireTxs(blocks, { height, hash, bytes })
    return squareThread.run('inclusion', { txs, versionApp, dataHash: toHexUpper(seal.data_hash), ...subject }, hash)
  })
}
