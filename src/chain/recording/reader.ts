import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { OperatorError } from '../../lib/errors.ts'
import type { RawBlock } from '../source.ts'
import {
  type BlockFile,
  GENESIS_FILE,
  MANIFEST_FILE,
  type Manifest,
  orderBlockFiles,
  parseManifest,
  splitLine,
} from './format.ts'
import { readLinePieces } from './read-lines.ts'

export type Recording = { dir: string; manifest: Manifest; files: BlockFile[] }

/** How blocks name where they come from. */
export const originOf = ({ manifest }: Recording): string => `recording ${manifest.chain_id}`

/** Reads the manifest and the list of files, and checks that the files cover the heights that the manifest promises. */
export async function openRecording(dir: string): Promise<Recording> {
  const path = join(dir, MANIFEST_FILE)
  const manifest = parseManifest(await readOrExplain(path, readFile(path)), path)
  const files = orderBlockFiles(await readdir(dir))
  let next = manifest.from
  for (const file of files) {
    if (file.from !== next) break
    next = file.to + 1
  }
  if (next <= manifest.to) throw rejectRecording(dir, `heights ${next} to ${manifest.to} are in no file`)
  return { dir, manifest, files }
}

export async function readGenesis({ dir }: Recording): Promise<Uint8Array> {
  const path = join(dir, GENESIS_FILE)
  const packed = await readOrExplain(path, readFile(path))
  return readOrExplain(path, promisify(gunzip)(packed))
}

/** Heights `from`..`to` of one file, in chunks that share one ArrayBuffer each and end after `chunkBytes`. */
export async function* readBlockFile(
  recording: Recording,
  file: BlockFile,
  range: { from: number; to: number; chunkBytes: number },
  signal?: AbortSignal,
): AsyncGenerator<RawBlock[]> {
  const path = join(recording.dir, file.name)
  const origin = originOf(recording)
  let height = file.from
  try {
    for await (const piece of readLinePieces(path, range.chunkBytes, signal)) {
      const blocks: RawBlock[] = []
      for (let start = 0; start < piece.length && height <= range.to; height++) {
        const lineEnd = piece.indexOf(0x0a, start)
        const end = lineEnd < 0 ? piece.length : lineEnd
        const raw = splitLine(piece, start, end, height, origin)
        if (!raw) throw rejectRecording(path, `line ${height - file.from + 1} is not the whole block of height ${height}`)
        if (height >= range.from) blocks.push(raw)
        start = end + 1
      }
      if (blocks.length > 0) yield blocks
      if (height > range.to) return
    }
    if (height <= file.to) throw rejectRecording(path, `it ends after line ${height - file.from}; height ${height} is missing`)
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (cause instanceof OperatorError) throw cause
    throw rejectRecording(
      path,
      `it cannot be read at or after line ${height - file.from + 1}: ${(cause as Error).message}`,
      cause,
    )
  }
}

export function findBlockFile(recording: Recording, height: number): BlockFile | undefined {
  return recording.files.find((file) => file.from <= height && height <= file.to)
}

function readOrExplain<T>(path: string, reading: Promise<T>): Promise<T> {
  return reading.catch((cause: Error) => {
    throw rejectRecording(path, cause.message, cause)
  })
}

function rejectRecording(path: string, reason: string, cause?: unknown): OperatorError {
  return new OperatorError('bad_recording', `the recording ${path} cannot be used: ${reason}`, { path }, cause)
}
