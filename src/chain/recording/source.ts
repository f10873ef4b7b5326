import { type NodeFault, OperatorError } from '../../lib/errors.ts'
import { parseJsonObject } from '../json-fields.ts'
import type { BlockReader, ChainSource, RawBlock, SourceHead } from '../source.ts'
import type { RpcBlock } from '../wire.ts'
import { findBlockFile, openRecording, originOf, type Recording, readBlockFile, readGenesis } from './reader.ts'

export type RecordingOptions = {
  /** A chunk ends with the line that reaches this size. */
  chunkBytes?: number
  /** Chunks unpacked while the consumer works. */
  chunksAhead?: number
  /** Files are cheap to unpack but not free: the last ones used for single heights are kept, up to this size together. */
  cacheBytes?: number
}

/** A folder of recorded blocks as a source. It never changes, so `waitForHead` only ends with its signal. */
export async function openRecordingSource(dir: string, options: RecordingOptions = {}): Promise<ChainSource & BlockReader> {
  const recording = await openRecording(dir)
  const { manifest } = recording
  const chunkBytes = options.chunkBytes ?? 1024 * 1024
  const singles = createFileCache(recording, chunkBytes, options.cacheBytes ?? 8 * 1024 * 1024)
  let fault: NodeFault | undefined
  let head: SourceHead | undefined

  return {
    name: `recording ${dir}`,

    async head(signal) {
      head ??= {
        chainId: manifest.chain_id,
        height: manifest.to,
        time: await readTime(singles, manifest.to, signal),
        earliest: manifest.from,
        catchingUp: false,
        nodeVersion: manifest.node_version,
      }
      return head
    },

    genesis: () => readGenesis(recording),

    async *blocks(from, to, signal) {
      if (fault)
        throw new OperatorError('bad_recording', `the recording ${dir} cannot be used: ${fault.message}`, fault.facts, fault)
      if (from < manifest.from || to > manifest.to) {
        const held = `${manifest.from} to ${manifest.to}`
        throw new OperatorError('bad_recording', `the recording ${dir} has heights ${held}, asked for ${from} to ${to}`, {
          from,
          to,
        })
      }
      yield* readAhead(readRange(recording, { from, to, chunkBytes }, signal), options.chunksAhead ?? 2)
    },

    reportFault(_origin, reported) {
      fault ??= reported
    },

    witnesses: () => [
      {
        origin: originOf(recording),
        genesis: () => readGenesis(recording),
        block: (height) => singles(height),
        results: async (height) => (await singles(height))?.results,
        validators: async () => undefined,
        state: async (_height, keys) => keys.map(() => ({ missing: 'proof', reason: 'a recording has no proofs of state' })),
        async commit(height) {
          const [block, following] = await Promise.all([singles(height), singles(height + 1)])
          return block && following && toCommitAnswer(block, following)
        },
      },
    ],

    waitForHead: (_height, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve(), { once: true })
      }),

    readBlock: (height) => singles(height),
    close: async () => {},
  }
}

async function* readRange(
  recording: Recording,
  range: { from: number; to: number; chunkBytes: number },
  signal: AbortSignal,
): AsyncGenerator<RawBlock[]> {
  for (const file of recording.files) {
    signal.throwIfAborted()
    if (file.to < range.from || file.from > range.to) continue
    yield* readBlockFile(recording, file, range, signal)
  }
}

async function readTime(singles: ReadSingle, height: number, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  const raw = await singles(height)
  if (!raw) throw new OperatorError('bad_recording', `the recording has no block of its last height ${height}`, { height })
  return parseBlock(raw).header.time
}

/** A block carries the votes for the one before it. */
function toCommitAnswer(block: RawBlock, following: RawBlock): Uint8Array {
  const { header } = parseBlock(block)
  const { last_commit: commit } = parseBlock(following)
  return Buffer.from(JSON.stringify({ signed_header: { header, commit } }))
}

function parseBlock(raw: RawBlock): RpcBlock['block'] {
  return (parseJsonObject(raw.block, 'block') as RpcBlock).block
}

type ReadSingle = (height: number) => Promise<RawBlock | undefined>

/** Reads single heights; callers at the same time share the unpacking of a file. */
function createFileCache(recording: Recording, chunkBytes: number, cacheBytes: number): ReadSingle {
  const files = new Map<string, { blocks: Promise<RawBlock[]>; bytes: number }>()

  function load(name: string, reading: Promise<RawBlock[]>): Promise<RawBlock[]> {
    const entry = { blocks: reading, bytes: 0 }
    files.set(name, entry)
    reading.then(
      (blocks) => {
        entry.bytes = blocks.reduce((sum, raw) => sum + raw.block.length + raw.results.length, 0)
        evict(name)
      },
      // The caller gets the error; the next one shall try again.
      () => files.delete(name),
    )
    return reading
  }

  function evict(latest: string): void {
    let total = 0
    for (const entry of files.values()) total += entry.bytes
    for (const [name, entry] of files) {
      if (total <= cacheBytes) return
      if (name !== latest) {
        files.delete(name)
        total -= entry.bytes
      }
    }
    if (total > cacheBytes) files.delete(latest)
  }

  return async (height) => {
    const file = findBlockFile(recording, height)
    if (!file) return undefined
    const known = files.get(file.name)
    if (known) {
      files.delete(file.name)
      files.set(file.name, known)
    }
    const range = { from: file.from, to: file.to, chunkBytes }
    const blocks = await (known?.blocks ?? load(file.name, collect(readBlockFile(recording, file, range))))
    const raw = blocks[height - file.from]
    return raw && { ...raw, block: raw.block.slice(), results: raw.results.slice() }
  }
}

async function collect(chunks: AsyncGenerator<RawBlock[]>): Promise<RawBlock[]> {
  const all: RawBlock[] = []
  for await (const chunk of chunks) all.push(...chunk)
  return all
}

/**
 * Keeps up to `ahead` items of `items` in the making while the consumer works on the one before. Leaving the loop early waits for
 * the item under way, so sources that can be slow take an AbortSignal too.
 */
export async function* readAhead<T>(items: AsyncGenerator<T>, ahead: number): AsyncGenerator<T> {
  const pending: Promise<IteratorResult<T>>[] = []
  try {
    for (;;) {
      while (pending.length <= ahead) {
        const next = items.next()
        // An error belongs to the consumer when it gets there; until then it must not count as unhandled.
        next.catch(() => {})
        pending.push(next)
      }
      const result = await pending.shift()!
      if (result.done) return
      yield result.value
    }
  } finally {
    await items.return(undefined)
  }
}
