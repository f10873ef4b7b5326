import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SCHEMA } from '../../../test/support/templates.ts'
import { openReader } from '../db.ts'
import { connectClient } from '../servers/connect.ts'
import { startEmbedded } from './server.ts'

async function withFolder(below: string, work: (directory: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-embedded-'))
  // The server of root runs as another user.
  chmodSync(folder, 0o755)
  try {
    await work(join(folder, below))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether both clients of ours reach the server, and without TCP. */
async function areLocal(url: string): Promise<boolean[]> {
  const question = 'select inet_client_addr() is null as local'
  const client = await connectClient(url, {})
  const db = openReader({ url, schema: SCHEMA, max: 1 })
  try {
    const { rows } = await client.query<{ local: boolean }>(question)
    return [rows[0]!.local, (await db.unsafe<{ local: boolean }[]>(question))[0]!.local]
  } finally {
    await Promise.all([client.end(), db.end({ timeout: 1 })])
  }
}

test('the bundled server is asked through a socket in its folder, also by who comes later; TCP stays open', () =>
  withFolder('a "folder", with marks', async (directory) => {
    const server = await startEmbedded({ directory, ephemeral: true })
    try {
      assert.deepEqual(await areLocal(server.url), [true, true])
      const later = await startEmbedded({ directory })
      assert.equal(later.url, server.url)
      const { username, password, port, pathname } = new URL(server.url)
      const [login, folder] = [`postgres://${username}:${password}`, encodeURIComponent(join(directory, 'postgres'))]
      assert.deepEqual(await areLocal(`${login}@${pathname}?host=${folder}&port=${port}`), [true, true])
      assert.deepEqual(await areLocal(`${login}@127.0.0.1:${port}${pathname}`), [false, false])
    } finally {
      await server.stop()
    }
  }))

test('where the path is too long for a socket it is asked through TCP', () =>
  withFolder('long'.repeat(25), async (directory) => {
    const server = await startEmbedded({ directory, ephemeral: true })
    try {
      assert.deepEqual(await areLocal(server.url), [false, false])
    } finally {
      await server.stop()
    }
  }))

test('sockets that a killed server left behind are removed', () =>
  withFolder('', async (directory) => {
    const data = join(directory, 'postgres')
    const first = await startEmbedded({ directory, ephemeral: true })
    await first.stop()
    for (const name of ['.s.PGSQL.1', '.s.PGSQL.1.lock']) await writeFile(join(data, name), '')
    const server = await startEmbedded({ directory, ephemeral: true })
    try {
      const { port } = new URL(server.url)
      assert.deepEqual(
        readdirSync(data)
          .filter((name) => name.startsWith('.s.'))
          .sort(),
        [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`],
      )
    } finally {
      await server.stop()
    }
  }))
