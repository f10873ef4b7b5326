import { after, before } from 'node:test'
import { type Client, createClient } from '../../src/client/client.ts'
import { freshDatabase } from '../support/database.ts'
import { findChromium } from './chromium.ts'
import { type Site, serveSite } from './site.ts'

/** The recorded main chain behind a page; it stands still since its last block. There once the tests run. */
export type RecordedSite = { readonly url: string; readonly client: Client; readonly databaseUrl: string }

/** Defines tests that share one site of the recorded chain; none where there is no browser. */
export function testRecorded(define: (executable: string, recorded: RecordedSite) => void): void {
  const executable = findChromium()
  if (!executable) return
  let site: Site
  let databaseUrl: string
  let client: Client
  before(async () => {
    databaseUrl = await freshDatabase('devnet')
    site = await serveRecorded(databaseUrl)
    client = createClient({ baseUrl: site.urls[0]!.replace(/\/$/, '') })
  })
  after(() => site.close())
  define(executable, {
    get url() {
      return site.urls[0]!
    },
    get client() {
      return client
    },
    get databaseUrl() {
      return databaseUrl
    },
  })
}

/** The same with the limits of the free plan for everyone. */
export const serveLimited = async (): Promise<Site> => serveRecorded(await freshDatabase('devnet'), { exemptLoopback: false })

const serveRecorded = (databaseUrl: string, options: { exemptLoopback?: boolean } = {}) =>
  serveSite([{ name: 'main', kind: 'main', recording: 'devnet', databaseUrl }], options)
