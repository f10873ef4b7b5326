import { after, before } from 'node:test'
import { schemaOf } from '../../src/config/schema.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { startIndexer, startNode } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'
import { indexRecording } from '../support/templates.ts'
import { findChromium } from './chromium.ts'
import { type Site, serveSite } from './site.ts'

export type LiveSite = {
  readonly executable: string
  readonly node: ReplayNode
  readonly site: Site
  /** addresses of the pages of two networks; the first grows with its node */
  readonly main: string
  readonly other: string
}

/** Defines tests of a page whose chain continues; none where there is no browser. */
export function testLive(define: (live: LiveSite) => void): void {
  const executable = findChromium()
  if (!executable) return
  let node: ReplayNode
  let site: Site

  before(async () => {
    const [followed, recorded] = [await freshDatabase(), await freshDatabase()]
    node = await startNode({ recording: 'devnet', startHeight: 60 })
    await startIndexer(followed, [node]).reached(60)
    const schema = schemaOf({ name: 'test-1' })
    await migrate(recorded, schema, 'network')
    await indexRecording(recorded, 'test-1', { until: 40, schema })
    site = await serveSite([
      { name: 'main', kind: 'main', recording: 'devnet', databaseUrl: followed },
      { name: 'test-1', kind: 'test', recording: 'test-1', databaseUrl: recorded },
    ])
  })
  after(() => site.close())
  define({
    executable,
    get node() {
      return node
    },
    get site() {
      return site
    },
    get main() {
      return site.urls[0]!
    },
    get other() {
      return site.urls[1]!
    },
  })
}
