import { Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../../lib/errors.ts'

/** Rows of our tables take 2 to 20 times as many bytes as their file; gzip can hold a thousand. */
const MAX_RATIO = 100
/** A small file may hold few rows that are all alike. */
const ALWAYS = 2 ** 20

/** Streams that unpack a file of `packed` bytes, and refuse one made to fill a disk. */
export function unpackFile(packed: number): [Transform, Transform] {
  const limit = Math.max(packed * MAX_RATIO, ALWAYS)
  let unpacked = 0
  const bound = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length
      if (unpacked <= limit) done(null, chunk)
      else done(new OperatorError('damaged_snapshot', `its file of ${packed} bytes unpacks to more than ${limit}`))
    },
  })
  return [createGunzip(), bound]
}
