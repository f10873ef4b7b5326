import assert from 'node:assert/strict'
import { findChromium } from './chromium.ts'
import { openVisitor } from './visitor.ts'

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

/** Someone who looks at a demo that just started; nobody where there is no browser. */
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
  await visitor.assertAccessible()
  await visitor.leave()
}
