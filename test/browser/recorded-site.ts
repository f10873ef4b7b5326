import { after, before, describe } from 'node:test'
import { type Client, createClient } from '../../src/client/client.ts'
import { freshDatabase } from '../support/database.ts'
import { findChromium } from './chromium.ts'
import { type Site, serveSite } from './site.ts'

/** The recorded main chain behind a page; it stands still since its last block. There once the tests run. */
export type RecordedSite = { readonly url: string; readonly client: Client }

/** Defines tests that share one site of the recorded chain; none where there is no browser. */
export function testRecorded(subject: string, define: (executable: string, recorded: RecordedSite) => void): void {
  const executable = findChromium()
  if (executable) describe(subject, () => define(executable, shareSite()))
}

function shareSite(): RecordedSite {
  let site: Site
  let client: Client
  before(async () => {
    site = await serveRecorded(await freshDatabase('devnet'))
    client = createClient({ baseUrl: site.urls[0]!.replace(/\/$/, '') })
  })
  after(() => site.close())
  return {
    get url() {
      return site.urls[0]!
    },
    get client() {
      return client
    },
  }
}

/** The same with the limits of the free plan for everyone. */
export const serveLimited = async (): Promise<Site> => serveRecorded(await freshDatabase('devnet'), { exemptLoopback: false })

const serveRecorded = (databaseUrl: string, options: { exemptLoopback?: boolean } = {}) =>
  serveSite([{ name: 'main', kind: 'main', recording: 'devnet', databaseUrl }], options)
