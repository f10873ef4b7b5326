import { createCipheriv } from 'node:crypto'
import type { Random } from '../../lib/random.ts'

/** Below this, to make a cipher costs more than what it writes. */
const CIPHER_FROM_BYTES = 4096

/** Bytes that look random and are the same for the same random numbers; megabytes cost milliseconds. */
export function randomBytes(random: Random, length: number): Uint8Array {
  if (length < CIPHER_FROM_BYTES) return fewBytes(random, length)
  const key = Buffer.alloc(16)
  for (let i = 0; i < 4; i++) key.writeUInt32LE(Math.floor(random() * 2 ** 32), 4 * i)
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length))
}

function fewBytes(random: Random, length: number): Uint8Array {
  const words = Uint32Array.from({ length: Math.ceil(length / 4) }, () => random() * 2 ** 32)
  return new Uint8Array(words.buffer, 0, length)
}
