/** Where the bytes of blocks are read from when a blob's content is asked for. */
export interface BlockStore {
  /** Txs of a block in order; undefined when the source does not have the height. */
  txs(height: number): Promise<Uint8Array[] | undefined>
}
