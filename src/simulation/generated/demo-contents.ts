import { crc32, deflateSync } from 'node:zlib'
import type { Random } from '../../lib/random.ts'

/** Contents of blobs that a visitor of the demo can read: about so many bytes of text, of JSON, or of a picture. */
export type Content = (random: Random, bytes: number) => Uint8Array

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!

const NAMES = ['ada', 'bruno', 'carla', 'dmitri', 'elif', 'farid', 'greta', 'hugo'] as const
const LINES = [
  'Does anybody see the comet tonight?',
  'Low in the north, an hour after sunset.',
  'Clouds here since Monday.',
  'The new mirror is ground and silvered.',
  'Then we meet on the hill at nine.',
  'Bring a red lamp, please.',
  'Saturn was steady enough to count the rings.',
  'Who has last week’s sketch?',
] as const

/** Lines of a conversation. */
export const chat: Content = (random, bytes) => {
  let text = ''
  while (text.length < bytes) text += `${pick(random, NAMES)}: ${pick(random, LINES)}\n`
  return Buffer.from(text)
}

/** Moves of a match. */
export const moves: Content = (random, bytes) => {
  const move = () => ({ player: pick(random, NAMES), x: Math.floor(random() * 64), y: Math.floor(random() * 64) })
  return jsonOf({ match: Math.floor(random() * 1e6), moves: listOf(move, bytes / 36) })
}

/** Orders of an exchange. */
export const orders: Content = (random, bytes) => {
  const order = () => ({
    side: pick(random, ['buy', 'sell'] as const),
    price: (5 + random()).toFixed(3),
    amount: Math.ceil(random() * 900),
  })
  return jsonOf({ market: 'TIA/USD', orders: listOf(order, bytes / 46) })
}

const listOf = <T>(make: () => T, length: number) => Array.from({ length: Math.max(1, Math.round(length)) }, make)
const jsonOf = (value: unknown) => Buffer.from(JSON.stringify(value))

/** A symmetric pattern of two colours on a ground, as a PNG. Its noise is what takes the bytes. */
export const picture: Content = (random, bytes) => {
  const side = Math.max(8, Math.min(160, 2 * Math.round(Math.sqrt(bytes * 2) / 2)))
  const colour = () => Array.from({ length: 3 }, () => Math.floor(40 + random() * 200))
  const palette = [colour(), colour(), colour()].flat()
  const cells = Array.from({ length: 8 }, () => Array.from({ length: 4 }, () => Math.floor(random() * 3)))
  const rows = Array.from({ length: side }, (_, y) => {
    const row = Buffer.alloc(1 + side)
    for (let x = 0; x < side; x++) {
      const column = Math.floor((Math.min(x, side - 1 - x) / side) * 8)
      const cell = cells[Math.floor((y / side) * 8)]![Math.min(3, column)]!
      row[1 + x] = random() < 0.12 ? 0 : cell
    }
    return row
  })
  const header = Buffer.from([...wordOf(side), ...wordOf(side), 8, 3, 0, 0, 0])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function wordOf(value: number): Buffer {
  const word = Buffer.alloc(4)
  word.writeUInt32BE(value)
  return word
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([wordOf(data.length), body, wordOf(crc32(body))])
}
