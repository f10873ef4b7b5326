import assert from 'node:assert/strict'
import { createClient } from '../../src/client/client.ts'
import { findChromium } from './chromium.ts'
import { findPlaces } from './recorded/place-list.ts'
import { assertSound, DESKTOP, openVisitor, PHONE } from './visitor.ts'

/** Charts of the demo, by the start of their names, and how many values each must have. */
const CHARTS: [address: string, name: string, least: number][] = [
  ['', 'Blob data of the last blocks', 90],
  ['statistics?range=all&per=day', 'Transactions per day', 55],
  ['statistics?per=hour', 'Blob data per hour', 100],
  ['statistics?range=all&per=month', 'Fees per month', 3],
  ['statistics?range=all&per=day', 'Throughput per day', 55],
  ['rollups', 'Market share of rollups per day', 25],
  ['gas', 'Percentiles of gas prices', 30],
]

/** A visitor of a demo that just started, who opens every kind of page on a desktop and on a phone; none where there is no browser. */
export async function visitDemo(page: string): Promise<void> {
  const executable = findChromium()
  if (!executable) return
  const visitor = await openVisitor(executable)
  for (const [address, name, least] of CHARTS) {
    await visitor.visit(`${page}${address}`)
    await visitor.page.getByText('Demo chain.').waitFor()
    const chart = visitor.page.getByRole('img', { name: new RegExp(`^${name}`) })
    const label = (await chart.getAttribute('aria-label')) ?? ''
    assert.ok(Number(/: (\d+) values/.exec(label)?.[1]) >= least, label)
    await chart.locator('canvas').waitFor()
  }
  visitor.assertNoComplaints()
  const unsound: string[] = []
  for (const { name, address } of await findPlaces(createClient({ baseUrl: page.replace(/\/$/, '') }))) {
    await visitor.become(DESKTOP)
    await visitor.follow(`${page}${address}`)
    for (const look of [DESKTOP, PHONE]) {
      await visitor.become(look)
      // Whole, because parts of a page are loaded when they come into view.
      await visitor.screenshot(`demo-${name}`)
      await assertSound(visitor, name, look).catch((error: Error) => unsound.push(`${name} at ${look.width}: ${error.message}`))
    }
  }
  assert.deepEqual(unsound, [])
  await visitor.leave()
}
