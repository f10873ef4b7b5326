import { after, before, describe } from 'node:test'
import { type Client, createClient } from '../../../src/client/client.ts'
import { freshDatabase } from '../../support/database.ts'
import { makeKey } from '../../webhooks/stack.ts'
import { findChromium } from '../chromium.ts'
import { type Site, serveSite } from '../site.ts'

/** The recorded main chain behind a page; it stands still since its last block. There once the tests run. */
export type RecordedSite = {
  readonly url: string
  readonly client: Client
  readonly databaseUrl: string
  /** an API key */
  readonly key: string
}

let databaseUrl: string
let site: Site
let client: Client
let key: string

const recorded: RecordedSite = {
  get url() {
    return site.urls[0]!
  },
  get databaseUrl() {
    return databaseUrl
  },
  get client() {
    return client
  },
  get key() {
    return key
  },
}

const executable = findChromium()
if (executable) {
  before(async () => {
    databaseUrl = await freshDatabase('devnet')
    key = await makeKey(databaseUrl)
    site = await serveRecorded()
    client = createClient({ baseUrl: site.urls[0]!.replace(/\/$/, '') })
  })
  after(() => site.close())
}

/** Defines tests of the recorded chain's page; none where there is no browser. */
export function testRecorded(subject: string, define: (executable: string, recorded: RecordedSite) => void): void {
  if (executable) describe(subject, () => define(executable, recorded))
}

/** Recorded site with the limits of the free plan for everyone. */
export const serveLimited = (): Promise<Site> => serveRecorded({ exemptLoopback: false })

const serveRecorded = (options: { exemptLoopback?: boolean } = {}) =>
  serveSite([{ name: 'main', kind: 'main', recording: 'devnet', databaseUrl }], options)
