import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { flood } from '../../../test/support/flood.ts'
import { OperatorError, Transient } from '../errors.ts'
import type { ObjectStore } from './object-store.ts'
import { openObjectStore } from './open.ts'

let folder: string
let store: ObjectStore
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'astrolabe-objects-'))
  store = openObjectStore(folder, { region: 'us-east-1' })
})
after(() => rm(folder, { recursive: true }))

const bytes = (text: string) => new TextEncoder().encode(text)
const listed = async (prefix: string) => {
  const keys: string[] = []
  for await (const { key, size } of store.list(prefix)) keys.push(`${key} ${size}`)
  return keys
}

test('an object is read back whole and in part, and is replaced by the next one under its key', async () => {
  await store.put('main/a/1', bytes('first'))
  await store.put('main/a/1', bytes('second one'))
  assert.deepEqual(Buffer.from((await store.getRange('main/a/1', 0, 100))!), Buffer.from('second one'))
  assert.deepEqual(Buffer.from((await store.getRange('main/a/1', 7, 100))!), Buffer.from('one'))
  assert.deepEqual(Buffer.from((await store.getRange('main/a/1', 2, 3))!), Buffer.from('con'))
  assert.equal((await store.getRange('main/a/1', 50, 3))!.length, 0)
})

test('what is not there is absent, and deleting it is no error', async () => {
  assert.equal(await store.getRange('main/none', 0, 1), undefined)
  assert.equal(await store.getRange('none/none', 0, 1), undefined)
  await store.delete('main/none')
  assert.deepEqual(await listed('nowhere/'), [])
})

test('a list has the keys under a prefix in order, without what was never finished', async () => {
  for (const key of ['main/b/2', 'main/b/10', 'main/b.x', 'mocha/1']) await store.put(key, bytes(key))
  await writeFile(join(folder, 'main/b/3.1-0-0.unfinished'), 'half')
  assert.deepEqual(await listed('main/b'), ['main/b.x 8', 'main/b/10 9', 'main/b/2 8'])
  await store.delete('main/b/10')
  assert.deepEqual(await listed('main/b/'), ['main/b/2 8'])
})

test('a folder that cannot be written is an error and leaves nothing behind', async () => {
  await assert.rejects(store.put('main/b/2/below-a-file', bytes('x')), /ENOTDIR|EEXIST/)
  assert.deepEqual(
    (await readdir(join(folder, 'main/b'))).filter((name) => name !== '3.1-0-0.unfinished'),
    ['2'],
  )
})

test('a bucket that sends more than it was asked for is not read to the end', async () => {
  let sent = 0
  const server = createServer((_request, response) => {
    flood(response, (bytes) => {
      sent += bytes
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const bucket = openObjectStore('s3://bucket/prefix', { endpoint, region: 'r', access_key_id: 'a', secret_access_key: 's' })
  const isTooLarge = (error: unknown) => error instanceof Transient && error.code === 'answer_too_large'
  await assert.rejects(bucket.getRange('main/a/1', 0, 6 * 2 ** 20), isTooLarge)
  await assert.rejects(bucket.list('main/')[Symbol.asyncIterator]().next(), isTooLarge)
  assert.ok(sent < 120 * 2 ** 20, `${sent} bytes`)
  server.close()
})

test('a bucket without credentials is refused with a sentence that names the settings', () => {
  assert.throws(
    () => openObjectStore('s3://bucket/prefix', { region: 'us-east-1' }),
    (error) => error instanceof OperatorError && /AWS_ACCESS_KEY_ID/.test(error.message),
  )
})
