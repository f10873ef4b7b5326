import { createCipheriv } from 'node:crypto'
import type { Random } from '../../lib/random.ts'

/** Bytes that look random and are the same for the same random numbers; megabytes cost milliseconds. */
export function randomBytes(random: Random, length: number): Uint8Array {
  const key = Buffer.alloc(16)
  for (let i = 0; i < 4; i++) key.writeUInt32LE(Math.floor(random() * 2 ** 32), 4 * i)
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length))
}
