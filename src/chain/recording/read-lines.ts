import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'

const NEWLINE = 0x0a

/**
 * Unpacked text of a gzip file in pieces of whole lines, each in memory of its own so that it can be moved to another thread.
 * A piece ends after `pieceBytes` or with the line that reaches beyond; only a cut file ends in the middle of a line.
 * Unpacking runs on the thread pool. A damaged file throws after the pieces before the damage.
 */
export async function* readLinePieces(path: string, pieceBytes: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
  // Without SYNC_FLUSH a cut file loses what was unpacked last, and with it the line that the operator wants to know.
  const gunzip = createGunzip({ chunkSize: 512 * 1024, finishFlush: constants.Z_SYNC_FLUSH })
  // Errors reach the loop below by way of `gunzip`.
  pipeline(createReadStream(path, { highWaterMark: 512 * 1024, ...(signal && { signal }) }), gunzip, () => {})
  let parts: Buffer[] = []
  let size = 0
  let total = 0
  for await (const part of gunzip as AsyncIterable<Buffer>) {
    total += part.length
    const lineEnd = size + part.length < pieceBytes ? -1 : part.lastIndexOf(NEWLINE)
    if (lineEnd < 0) {
      parts.push(part)
      size += part.length
      continue
    }
    yield joinParts([...parts, part.subarray(0, lineEnd + 1)], size + lineEnd + 1)
    parts = [part.subarray(lineEnd + 1)]
    size = part.length - lineEnd - 1
  }
  if (size > 0) yield joinParts(parts, size)
  if (total % 2 ** 32 !== (await readPackedSize(path))) throw new Error('unexpected end of file')
}

/** Never from the shared pool of small buffers: the memory is given away. */
function joinParts(parts: readonly Buffer[], size: number): Buffer {
  const joined = Buffer.from(new ArrayBuffer(size))
  let at = 0
  for (const part of parts) at += part.copy(joined, at)
  return joined
}

/** A gzip file ends with the size of what was packed, modulo 2^32. */
async function readPackedSize(path: string): Promise<number> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const trailer = Buffer.alloc(4)
    await file.read(trailer, 0, 4, Math.max(0, size - 4))
    return trailer.readUInt32LE()
  } finally {
    await file.close()
  }
}
