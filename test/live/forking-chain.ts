import { hash } from 'node:crypto'
import { unwrapTx } from '../../src/decode/blob-tx.ts'
import { computeCommitment } from '../../src/decode/square/commitment.ts'
import { deriveBlock } from '../../src/derive/block.ts'
import { deriveGenesis } from '../../src/derive/genesis.ts'
import { packBlock } from '../../src/store/pack/pack-block.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { aBlob, aBlock, aGenesis, anAccount, aPayForBlobs, aSend, CHAIN_ID } from '../builders.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { SCHEMA } from '../support/templates.ts'

export const [ALICE, BOB] = [anAccount('alice'), anAccount('bob')]
export const NAMESPACE = 'wanted'

/** What a block holds, as far as subscribers compare it. `blobs`: commitments of those in the namespace. */
export type BlockContent = { hash: string; txs: { hash: string; signer: string }[]; blobs: string[] }
type Made = { block: ReturnType<typeof aBlock>; content: BlockContent }

const UNDO_DEPTH = 101

/** A chain of random blocks, written without a node, whose end can be replaced at any time. */
export class ForkingChain {
  readonly url: string
  readonly #writer: Writer
  readonly #random: () => number
  readonly #blocks: Made[] = []
  /** ends of branches that were left: the chain may come back to them */
  readonly #left: Made[][] = []
  #made = 0

  private constructor(url: string, writer: Writer, random: () => number) {
    this.url = url
    this.#writer = writer
    this.#random = random
  }

  static async open(url: string, random: () => number): Promise<ForkingChain> {
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: UNDO_DEPTH }, new AbortController().signal)
    closeAfterwards(() => writer.close())
    const genesis = aGenesis({ balances: { [ALICE.text]: 10n ** 12n, [BOB.text]: 10n ** 12n } })
    await writer.commitGenesis(packBlock(deriveGenesis(genesis).facts), { chainId: CHAIN_ID, genesisHash: '00' })
    return new ForkingChain(url, writer, random)
  }

  get height(): number {
    return this.#blocks.length
  }

  /** Content of a height of the branch that stands. */
  at(height: number): BlockContent | undefined {
    return this.#blocks[height - 1]?.content
  }

  async extend(count: number): Promise<void> {
    await this.#write(Array.from({ length: count }, () => undefined))
  }

  /** Another branch from the height after `common` on; sometimes one that stood before. */
  async fork(common: number, count: number): Promise<void> {
    const gone = this.#blocks.splice(common)
    const back = this.#left.findIndex(([first]) => first?.block.height === common + 1 && this.#continues(first))
    const isBack = back >= 0 && this.#random() < 0.5
    const again = isBack ? this.#left.splice(back, 1)[0]! : []
    this.#left.push(gone)
    if (this.#left.length > 10) this.#left.shift()
    await this.#writer.revertTo(common)
    await this.#write(Array.from({ length: Math.max(count, 1) }, (_, i) => again[i]))
  }

  #continues({ block }: Made): boolean {
    return block.parentHash === (this.#blocks.at(-1)?.block.hash ?? '')
  }

  async #write(blocks: readonly (Made | undefined)[]): Promise<void> {
    const start = this.#blocks.length
    for (const known of blocks) this.#blocks.push(known ?? this.#make())
    const made = this.#blocks.slice(start).map(({ block }) => packBlock(deriveBlock(block)))
    // One commit or several: processes may see the heights between or not.
    const together = this.#random() < 0.5 ? made.length : 1
    for (let at = 0; at < made.length; at += together) {
      await this.#writer.commit(made.slice(at, at + together))
      await this.#writer.settled()
    }
  }

  #make(): Made {
    const height = this.#blocks.length + 1
    const number = ++this.#made
    const txs = [ALICE, BOB].flatMap((from) => {
      if (this.#random() < 0.6) return []
      const blob = aBlob(this.#random() < 0.5 ? NAMESPACE : 'other', `data ${number} ${from.text}`)
      const isBlob = this.#random() < 0.5
      const tx = isBlob ? aPayForBlobs(from.text, [blob]) : aSend(from.text, anAccount('carol').text, BigInt(number))
      const isWanted = isBlob && Buffer.from(blob.namespace).toString().endsWith(NAMESPACE)
      return [{ tx, signer: from.text, blobs: isWanted ? [blob] : [] }]
    })
    const parentHash = this.#blocks.at(-1)?.block.hash ?? ''
    const block = aBlock(height, { txs: txs.map(({ tx }) => tx), branch: String(number), parentHash })
    const content = {
      hash: block.hash,
      txs: txs.map(({ tx, signer }) => ({ hash: hash('sha256', unwrapTx(tx.bytes).inner), signer })),
      blobs: txs.flatMap(({ blobs }) => blobs.map((blob) => Buffer.from(computeCommitment(blob)).toString('base64'))),
    }
    return { block, content }
  }
}
