import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { folderOfHeight, writeBlobFile } from './blob-file.ts'
import { DiskLimit } from './disk-limit.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'astrolabe-blobs-'))
})
after(() => rm(folder, { recursive: true }))

/** One block of the disk. */
function write(height: number): number {
  const blob = { namespace: new Uint8Array(29), data: new Uint8Array(1000), shareVersion: 0 }
  return writeBlobFile(folder, height, new Uint8Array(32).fill(height % 100), blob)
}

test('the oldest heights go when the blobs take too much room, and what earlier runs left counts', async () => {
  for (let height = 100; height < 500; height += 50) write(height)
  const limit = new DiskLimit(folder, 23_800)
  await limit.add(write(500))
  assert.deepEqual(await readdir(folder), [300, 400, 500].map(folderOfHeight))
  // Within the limit nothing goes.
  await limit.add(0)
  assert.equal((await readdir(folder)).length, 3)
  await limit.add(write(600))
  assert.deepEqual(await readdir(folder), [400, 500, 600].map(folderOfHeight))
})

test('the newest heights stay even when they are more than allowed', async () => {
  const limit = new DiskLimit(folder, 10)
  await limit.add(write(600))
  assert.deepEqual(await readdir(folder), [folderOfHeight(600)])
})
