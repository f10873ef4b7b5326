import { NodeFault, OperatorError } from '../../lib/errors.ts'
import { asCount, asText, parseJsonObject } from '../json-fields.ts'
import type { RawBlock } from '../source.ts'

/**
 * A recording is a folder: `manifest.json`, `genesis.json.gz` and files `blocks-AAAAAAAA-BBBBBBBB.ndjson.gz` with the heights A..B,
 * one line each: `{"height":N,"block":<result of block>,"block_results":<result of block_results>}`. Each file can be read alone.
 */
export const MANIFEST_FILE = 'manifest.json'
export const GENESIS_FILE = 'genesis.json.gz'
/** A file ends at a multiple of this, or earlier when its blocks are large. */
export const HEIGHTS_PER_FILE = 100

export type Manifest = {
  chain_id: string
  node_version: string
  app_version: string
  from: number
  to: number
  txs: number
}

export type BlockFile = { name: string; from: number; to: number }

export function toBlockFileName(from: number, to: number): string {
  return `blocks-${String(from).padStart(8, '0')}-${String(to).padStart(8, '0')}.ndjson.gz`
}

/** Undefined for a name that is not one of a block file. */
export function parseBlockFileName(name: string): BlockFile | undefined {
  const match = /^blocks-(\d{8,})-(\d{8,})\.ndjson\.gz$/.exec(name)
  if (!match) return undefined
  const from = Number(match[1])
  const to = Number(match[2])
  return from <= to ? { name, from, to } : undefined
}

/**
 * Files in height order. A writer that was stopped between writing a longer file and removing the shorter one leaves both:
 * the longer one counts.
 */
export function orderBlockFiles(names: readonly string[]): BlockFile[] {
  const longest = new Map<number, BlockFile>()
  for (const name of names) {
    const file = parseBlockFileName(name)
    if (file && file.to > (longest.get(file.from)?.to ?? -1)) longest.set(file.from, file)
  }
  return [...longest.values()].sort((a, b) => a.from - b.from)
}

export function parseManifest(bytes: Uint8Array, path: string): Manifest {
  try {
    const manifest = parseJsonObject(bytes, MANIFEST_FILE)
    return {
      chain_id: asText(manifest.chain_id, 'chain_id'),
      node_version: asText(manifest.node_version ?? '', 'node_version'),
      app_version: asText(manifest.app_version ?? '', 'app_version'),
      from: asCount(String(manifest.from), 'from'),
      to: asCount(String(manifest.to), 'to'),
      txs: asCount(String(manifest.txs ?? 0), 'txs'),
    }
  } catch (cause) {
    if (!(cause instanceof NodeFault)) throw cause
    throw new OperatorError('bad_recording', `${path} is not the manifest of a recording: ${cause.message}`, { path }, cause)
  }
}

const BLOCK_KEY = Buffer.from(',"block":')
// Inside a JSON string the quotes would be escaped, so these bytes can only be the key itself: no line has to be parsed to be split.
const RESULTS_KEY = Buffer.from(',"block_results":')
const OPEN = 0x7b
const CLOSE = 0x7d

/** Splits the line at `start`..`end` of `bytes` into views of its two texts; undefined when it is not a line of `height`. */
export function splitLine(bytes: Buffer, start: number, end: number, height: number, origin: string): RawBlock | undefined {
  const prefix = `{"height":${height}`
  const blockAt = start + prefix.length + BLOCK_KEY.length
  if (blockAt >= end || bytes.toString('latin1', start, start + prefix.length) !== prefix) return undefined
  if (bytes.compare(BLOCK_KEY, 0, BLOCK_KEY.length, blockAt - BLOCK_KEY.length, blockAt) !== 0) return undefined
  const keyAt = bytes.indexOf(RESULTS_KEY, blockAt)
  const resultsAt = keyAt + RESULTS_KEY.length
  if (keyAt < 0 || resultsAt >= end) return undefined
  const isWhole = bytes[blockAt] === OPEN && bytes[keyAt - 1] === CLOSE && bytes[resultsAt] === OPEN
  if (!isWhole || bytes[end - 1] !== CLOSE || bytes[end - 2] !== CLOSE) return undefined
  return {
    height,
    block: new Uint8Array(bytes.buffer, bytes.byteOffset + blockAt, keyAt - blockAt),
    results: new Uint8Array(bytes.buffer, bytes.byteOffset + resultsAt, end - 1 - resultsAt),
    origin,
  }
}

export function joinLine(raw: RawBlock): Uint8Array[] {
  return [
    Buffer.from(`{"height":${raw.height},"block":`),
    unfold(raw.block),
    RESULTS_KEY,
    unfold(raw.results),
    Buffer.from('}\n'),
  ]
}

/** Nodes of the 0.34 line print indented answers. */
function unfold(text: Uint8Array): Uint8Array {
  if (!text.includes(0x0a)) return text
  return Buffer.from(JSON.stringify(parseJsonObject(text, 'block')))
}
