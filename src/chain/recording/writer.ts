import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, type Gzip, gzip } from 'node:zlib'
import { OperatorError } from '../../lib/errors.ts'
import { parseJsonObject } from '../json-fields.ts'
import type { RawBlock } from '../source.ts'
import type { RpcBlock } from '../wire.ts'
import {
  type BlockFile,
  GENESIS_FILE,
  HEIGHTS_PER_FILE,
  joinLine,
  MANIFEST_FILE,
  type Manifest,
  orderBlockFiles,
  parseBlockFileName,
  parseManifest,
  toBlockFileName,
} from './format.ts'
import { readBlockFile } from './reader.ts'

export type RecordingWriter = {
  /** The height that `append` expects. */
  readonly nextHeight: number
  append(raw: RawBlock, txCount: number, appVersion: number): Promise<void>
  /** Finishes the file under way, so that all that was appended counts. */
  close(): Promise<void>
}

export type WriterOptions = {
  chainId: string
  from: number
  nodeVersion?: string
  genesis: () => Promise<Uint8Array>
  /** A file also ends when its unpacked text reaches this size. */
  fileBytes?: number
}

const PARTIAL = '.partial'

/**
 * Appends to the recording in `dir`, or starts it. A block counts once its file has its final name and the manifest names its height:
 * files are written aside and renamed, so a stop at any moment loses at most the file under way. The last file is read through: when
 * it is not full it is taken up again, and when it is damaged it keeps the lines before the damage.
 */
export async function openRecordingWriter(dir: string, options: WriterOptions): Promise<RecordingWriter> {
  await mkdir(dir, { recursive: true })
  const manifest = (await loadManifest(dir, options)) ?? {
    chain_id: options.chainId,
    node_version: options.nodeVersion ?? '',
    app_version: '',
    from: options.from,
    to: options.from - 1,
    txs: 0,
  }
  for (const name of await readdir(dir)) if (name.endsWith(PARTIAL)) await rm(join(dir, name))
  const names = await readdir(dir)
  if (!names.includes(GENESIS_FILE)) {
    await replaceFile(join(dir, GENESIS_FILE), await promisify(gzip)(await options.genesis()))
  }
  await removeFilesBeyond(dir, names, manifest)

  const fileBytes = options.fileBytes ?? 256 * 1024 * 1024
  let file: OpenFile | undefined
  let nextHeight = manifest.to + 1
  let txs = manifest.txs
  let appVersion = manifest.app_version

  async function finish(): Promise<void> {
    if (!file) return
    const written = await file.finish(nextHeight - 1)
    file = undefined
    Object.assign(manifest, { to: nextHeight - 1, txs, app_version: appVersion })
    await replaceFile(join(dir, MANIFEST_FILE), Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`))
    await removeReplacedFiles(dir, written)
  }

  const last = orderBlockFiles(names).find((entry) => entry.to === manifest.to)
  if (last) {
    file = await openFile(dir, last.from)
    nextHeight = (await copyGoodLines(dir, manifest, last, file)) + 1
    if (nextHeight <= manifest.to) txs = await countTxs(dir, manifest, nextHeight - 1)
    else if (last.to % HEIGHTS_PER_FILE === 0) {
      await file.discard()
      file = undefined
    }
  }

  return {
    get nextHeight() {
      return nextHeight
    },
    async append(raw, txCount, version) {
      if (raw.height !== nextHeight) {
        throw new OperatorError('bad_recording', `the recording in ${dir} continues at ${nextHeight}, not at ${raw.height}`, {
          dir,
        })
      }
      file ??= await openFile(dir, raw.height)
      await file.write(raw)
      txs += txCount
      appVersion = String(version)
      nextHeight++
      if (raw.height % HEIGHTS_PER_FILE === 0 || file.bytes >= fileBytes) await finish()
    },
    close: finish,
  }
}

async function loadManifest(dir: string, options: WriterOptions): Promise<Manifest | undefined> {
  const path = join(dir, MANIFEST_FILE)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!bytes) return undefined
  const manifest = parseManifest(bytes, path)
  if (manifest.chain_id !== options.chainId) {
    const held = `${dir} holds a recording of ${manifest.chain_id}`
    throw new OperatorError('bad_recording', `${held}, which cannot continue with ${options.chainId}`, { dir })
  }
  return manifest
}

/** Copies the lines of `source` into `target` up to the first bad one; returns the last height that was good. */
async function copyGoodLines(dir: string, manifest: Manifest, source: BlockFile, target: OpenFile): Promise<number> {
  const recording = { dir, manifest, files: [source] }
  let height = source.from - 1
  try {
    for await (const chunk of readBlockFile(recording, source, { from: source.from, to: source.to, chunkBytes: 0 })) {
      for (const raw of chunk) {
        await target.write(raw)
        height = raw.height
      }
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    // Damage: the heights from here on are recorded again.
  }
  return height
}

/** Only after damage: the manifest counts the txs of lines that are lost. */
async function countTxs(dir: string, manifest: Manifest, to: number): Promise<number> {
  let txs = 0
  for (const file of orderBlockFiles(await readdir(dir))) {
    if (file.from > to) break
    const range = { from: file.from, to: Math.min(file.to, to), chunkBytes: 0 }
    for await (const chunk of readBlockFile({ dir, manifest, files: [file] }, file, range)) {
      for (const raw of chunk) txs += (parseJsonObject(raw.block, 'block') as RpcBlock).block.data.txs?.length ?? 0
    }
  }
  return txs
}

/** Files that the manifest does not know come from a stop before it was written; their heights are recorded again. */
async function removeFilesBeyond(dir: string, names: readonly string[], manifest: Manifest): Promise<void> {
  for (const name of names) {
    const file = parseBlockFileName(name)
    if (file && file.to > manifest.to) await rm(join(dir, name))
  }
}

/** The files that `written` continues from, even if they are shorter or damaged. */
async function removeReplacedFiles(dir: string, written: BlockFile): Promise<void> {
  for (const name of await readdir(dir)) {
    if (parseBlockFileName(name)?.from === written.from && name !== written.name) await rm(join(dir, name))
  }
}

type OpenFile = {
  readonly bytes: number
  write(raw: RawBlock): Promise<void>
  finish(to: number): Promise<BlockFile>
  discard(): Promise<void>
}

async function openFile(dir: string, from: number): Promise<OpenFile> {
  const path = join(dir, `blocks-from-${from}${PARTIAL}`)
  const packer: Gzip = createGzip()
  const target: WriteStream = createWriteStream(path)
  const done = finished(packer.pipe(target))
  // Seen by `finish`; a disk error before that must not count as unhandled.
  done.catch(() => {})
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    async write(raw) {
      let isOpen = true
      for (const part of joinLine(raw)) {
        bytes += part.length
        isOpen = packer.write(part)
      }
      if (!isOpen) await Promise.race([once(packer, 'drain'), done])
    },
    async finish(to) {
      packer.end()
      await done
      await syncFile(path)
      const name = toBlockFileName(from, to)
      await rename(path, join(dir, name))
      return { name, from, to }
    },
    async discard() {
      packer.end()
      await done
      await rm(path)
    },
  }
}

async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path + PARTIAL, bytes)
  await syncFile(path + PARTIAL)
  await rename(path + PARTIAL, path)
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
