import assert from 'node:assert/strict'
import { findChromium } from '../browser/chromium.ts'
import { serveSite } from '../browser/site.ts'
import { openVisitor } from '../browser/visitor.ts'
import { startIndexer, startNode } from '../live/stack.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'

const FROM = 371
const executable = findChromium()

longTest(
  'the page says once that there is no state, and shows blocks and blobs',
  { skip: executable === undefined },
  async () => {
    const node = await startNode({ recording: 'devnet', startHeight: 402, faults: { pruned: { blocks: FROM - 1 } } })
    const databaseUrl = await freshDatabase()
    await startIndexer(databaseUrl, [node], { follow: false, verifyCommits: true, from: FROM }).ended
    const site = await serveSite([{ name: 'main', kind: 'main', recording: 'devnet', databaseUrl }])
    closeAfterwards(() => site.close())
    const visitor = await openVisitor(executable!)
    const read = async (place: string) => {
      await visitor.visit(site.urls[0]! + place)
      await visitor.screenshot(`stateless-${place.split('/')[0] || 'overview'}`)
      return visitor.page.innerText('main')
    }
    const notice = `This index begins at block ${FROM} without the state of the chain before it`
    for (const place of ['', 'blocks', 'block/390', 'txs', 'namespaces', 'gas', 'statistics', 'validators', 'addresses', 'ibc']) {
      const text = await read(place)
      assert.equal(text.split(notice).length, 2, place)
      assert.doesNotMatch(text, /could not be/, place)
    }
    assert.doesNotMatch(await read(''), /Supply|Accounts/)
    assert.match(await read('validators'), /This index does not have the state of the chain\./)
    await visitor.leave()
  },
)
