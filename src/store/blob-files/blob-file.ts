import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { NAMESPACE_SIZE } from '../../decode/square/namespaces.ts'
import type { SquareBlob } from '../../decode/square/shares.ts'
import { toHex } from '../../lib/bytes.ts'

/**
 * A kept blob is one file named by its commitment, in a folder per run of heights, so that old ones go by the folder:
 * share version (1 byte), length of the signer (1 byte), namespace, signer, data.
 */
const HEIGHTS_PER_FOLDER = 100
const HEAD_SIZE = 2 + NAMESPACE_SIZE
const DISK_BLOCK = 4096

export function folderOfHeight(height: number): string {
  return String(Math.floor(height / HEIGHTS_PER_FOLDER)).padStart(9, '0')
}

function pathOf(folder: string, height: number, commitment: Uint8Array): string {
  return join(folder, folderOfHeight(height), toHex(commitment))
}

/** Returns the bytes it takes on disk. A file is there whole or not at all; what a power cut leaves of it shows when it is read. */
export function writeBlobFile(folder: string, height: number, commitment: Uint8Array, blob: SquareBlob): number {
  const signer = blob.signer ?? new Uint8Array(0)
  const bytes = new Uint8Array(HEAD_SIZE + signer.length + blob.data.length)
  bytes.set([blob.shareVersion, signer.length])
  bytes.set(blob.namespace, 2)
  bytes.set(signer, HEAD_SIZE)
  bytes.set(blob.data, HEAD_SIZE + signer.length)
  const path = pathOf(folder, height, commitment)
  // Two indexers may stand on one folder, and each has several threads.
  const unfinished = `${path}.${process.pid}-${threadId}`
  mkdirSync(join(folder, folderOfHeight(height)), { recursive: true })
  writeFileSync(unfinished, bytes)
  renameSync(unfinished, path)
  return roundToDisk(bytes.length)
}

/** Most blobs are small, and a file takes whole blocks of the disk. */
export function roundToDisk(bytes: number): number {
  return Math.ceil(bytes / DISK_BLOCK) * DISK_BLOCK
}

/** The blob when it is kept, as the file has it: whether it still has its commitment is for the caller to find out. */
export async function readBlobFile(folder: string, height: number, commitment: Uint8Array): Promise<SquareBlob | undefined> {
  const bytes = await readFile(pathOf(folder, height, commitment)).catch(() => undefined)
  if (bytes === undefined || bytes.length < HEAD_SIZE) return undefined
  const [shareVersion = 0, signerSize = 0] = bytes
  const data = HEAD_SIZE + signerSize
  return {
    shareVersion,
    namespace: bytes.subarray(2, HEAD_SIZE),
    ...(signerSize > 0 && { signer: bytes.subarray(HEAD_SIZE, data) }),
    data: bytes.subarray(data),
  }
}
