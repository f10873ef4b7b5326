import type pg from 'pg'
import { connectClient } from '../servers/connect.ts'
import { findPrimary } from '../servers/find-primary.ts'

export type HeadAnnouncer = {
  /** Never fails. Resolves when this head, or a newer one, is written, or cannot be for now. */
  announce(head: { height: number; time: string }): Promise<void>
  close(): Promise<void>
}

/** Lets readers know where the source stands. On its own connection, so that it cannot get in the way of a commit. */
export function openHeadAnnouncer({ url, schema }: { url: string; schema: string }): HeadAnnouncer {
  let client: pg.Client | undefined
  let home: string | undefined
  let next: { height: number; time: string } | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  async function connect(): Promise<pg.Client> {
    const opened = await connectClient(
      url,
      { application_name: `astrolabe source ${schema}`, connectionTimeoutMillis: 5000, statement_timeout: 5000 },
      `set search_path to "${schema}"`,
    )
    opened.on('error', () => {
      if (client === opened) client = undefined
    })
    return opened
  }

  /** A server that was demoted may still take writes, which nobody reads. */
  async function connectedHome(): Promise<pg.Client> {
    const primary = await findPrimary(url)
    if (client && primary === home) return client
    await client?.end().catch(() => {})
    home = primary
    return connect()
  }

  async function writeAll(): Promise<void> {
    while (next) {
      const head = next
      next = undefined
      try {
        client = await connectedHome()
        await client.query(
          `insert into source_head (height, time, seen_at) values ($1, $2, now())
           on conflict ((true)) do update set height = excluded.height, time = excluded.time, seen_at = excluded.seen_at`,
          [head.height, head.time],
        )
      } catch {
        // The row only tells how far behind we are: the next head, at most a few seconds later, tries again.
        await client?.end().catch(() => {})
        client = undefined
      }
    }
  }

  return {
    async announce(head) {
      if (isClosed) return
      next = head
      running ??= writeAll().finally(() => {
        running = undefined
      })
      return running
    },
    async close() {
      isClosed = true
      next = undefined
      await running
      await client?.end().catch(() => {})
      client = undefined
    },
  }
}
