import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { unpackFile } from './unpack.ts'

async function unpack(content: Buffer): Promise<{ packed: number; unpacked: number; error?: Error }> {
  const file = gzipSync(content)
  let unpacked = 0
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length
      done()
    },
  })
  const [gunzip, bound] = unpackFile(file.length)
  const error = await pipeline(Readable.from([file]), gunzip, bound, sink).then(
    () => undefined,
    (reason: Error) => reason,
  )
  return { packed: file.length, unpacked, ...(error && { error }) }
}

test('a file that unpacks to a thousand times its size is refused before it is unpacked', async () => {
  const { packed, unpacked, error } = await unpack(Buffer.alloc(64 * 2 ** 20))
  assert.match(String(error), /unpacks to more than/)
  assert.ok(unpacked <= packed * 100)
})

test('a file of rows, and a small one of rows that are all alike, are unpacked', async () => {
  const rows = Buffer.from(Array.from({ length: 50_000 }, (_, i) => `row ${i} ${(i * 7919) % 1000}\n`).join(''))
  for (const content of [rows, Buffer.alloc(2 ** 20)])
    assert.deepEqual(await unpack(content).then(({ unpacked, error }) => [unpacked, error]), [content.length, undefined])
})
