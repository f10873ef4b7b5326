import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { WireReader } from '../../lib/encoding/protowire.ts'
import { decodeTx } from '../tx.ts'
import type { SquareTx } from './build-square.ts'
import { toSquareTx } from './square-tx.ts'

/** Part of a recorded block that the tests of this folder need; `dataHash` is lower-case hex. */
export type RecordedBlock = {
  name: string
  height: number
  versionApp: number
  squareSize: number
  dataHash: string
  rawTxs: Uint8Array[]
}

type RpcBlock = {
  block: {
    header: { height: string; version: { app?: string }; data_hash: string }
    data: { txs: string[] | null; square_size: string }
  }
}

const ROOT = findRoot(import.meta.dirname)
export const RECORDINGS = ['devnet', 'test-1', 'test-2'] as const
/** Two blocks of the public networks, which are not part of the project: tests on them exist where the files do. */
const PUBLIC_BLOCKS = join(ROOT, '../shared/chain/real')
export const hasPublicBlocks = existsSync(PUBLIC_BLOCKS)

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}

export function* readRecording(name: (typeof RECORDINGS)[number]): Generator<RecordedBlock> {
  const folder = join(ROOT, 'data/recordings', name)
  for (const file of readdirSync(folder).sort()) {
    if (!file.startsWith('blocks-')) continue
    for (const line of gunzipSync(readFileSync(join(folder, file)))
      .toString()
      .split('\n')) {
      if (line !== '') yield toRecordedBlock(name, (JSON.parse(line) as { block: RpcBlock }).block)
    }
  }
}

export function readPublicBlock(height: number): RecordedBlock {
  const json = gunzipSync(readFileSync(join(PUBLIC_BLOCKS, `block_${height}.json.gz`))).toString()
  return toRecordedBlock('public', JSON.parse(json) as RpcBlock)
}

function toRecordedBlock(name: string, { block }: RpcBlock): RecordedBlock {
  return {
    name,
    height: Number(block.header.height),
    versionApp: Number(block.header.version.app ?? 0),
    squareSize: Number(block.data.square_size),
    dataHash: block.header.data_hash.toLowerCase(),
    rawTxs: (block.data.txs ?? []).map((tx) => Buffer.from(tx, 'base64')),
  }
}

export function listSquareTxs(block: RecordedBlock): SquareTx[] {
  return block.rawTxs.map((bytes) => toSquareTx(bytes, block.versionApp))
}

/** Answers of the reference implementation on the devnet recording. */
export function readReferenceAnswers(): { url: string; status: number; body: unknown }[] {
  const text = gunzipSync(readFileSync(join(ROOT, 'test/fixtures/reference.ndjson.gz'))).toString()
  return text
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { url: string; status: number; body: unknown }]))
}

/** `share_commitments` (field 4) of the MsgPayForBlobs in a BlobTx. */
export function readSignedCommitments(rawTx: Uint8Array): Uint8Array[] {
  const tx = decodeTx(rawTx)
  if (tx.error !== undefined) throw new Error(tx.error)
  const reader = new WireReader(tx.messages[0]!.value)
  const commitments: Uint8Array[] = []
  while (reader.next()) {
    if (reader.field === 4) commitments.push(reader.bytes())
    else reader.skip()
  }
  return commitments
}
