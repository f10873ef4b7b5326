// `npm run --silent block -- RECORDING HEIGHT`: what one recorded block means for the tables, as JSON. RECORDING is a folder, or the name of
// one below data/recordings. To look at a block of a node, record it first: `npm run astrolabe -- record DIR --rpc URL --from H --to H`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseRawBlock } from '../build/src/chain/parse.js'
import { openRecordingSource } from '../build/src/chain/recording/source.js'
import { deriveBlock } from '../build/src/derive/block.js'
import { root } from './stamp.mjs'

const [recording, height] = process.argv.slice(2)
if (recording === undefined || !/^\d+$/.test(height ?? '')) {
  console.error('use: npm run --silent block -- RECORDING HEIGHT')
  process.exit(2)
}
const bundled = join(root, 'data/recordings', recording)
const source = await openRecordingSource(existsSync(bundled) ? bundled : recording)
try {
  const { chainId } = await source.head(AbortSignal.timeout(10_000))
  const raw = await source.readBlock(Number(height), AbortSignal.timeout(10_000))
  if (!raw) throw new Error(`${recording} has no height ${height}`)
  const facts = deriveBlock(parseRawBlock(raw, { chainId }))
  console.log(JSON.stringify(facts, writable, 2))
} finally {
  await source.close()
}

/** Amounts as text, bytes as hex. */
function writable(_key, value) {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return value
}
