import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longTest } from '../../support/long-test.ts'
import { openVisitor, PHONE } from '../visitor.ts'
import { testRecorded } from './site.ts'

testRecorded('layout of the page', (executable, recorded) => {
  test('the overview begins with the last blocks that hold blobs, newest first and largest, in the colours of their pages', async () => {
    const blocks = await recorded.client.listBlocks({ limit: 100, sort: 'desc', stats: true })
    const filled = blocks.filter(({ stats }) => stats!.blobs_count > 0).map(({ height }) => height)
    const visitor = await openVisitor(executable)
    const { page } = visitor
    await visitor.visit(recorded.url)
    const squares = page.getByRole('region', { name: 'Latest data' }).locator('.strip-block')
    const links = await page.evaluate(
      '[...document.querySelectorAll(".strip-block")].map((link) => Number(link.pathname.split("/").at(-1)))',
    )
    assert.deepEqual(links, filled.slice(0, 7))
    const [first, second] = [await squares.nth(0).boundingBox(), await squares.nth(1).boundingBox()]
    assert.ok(first!.width > 1.3 * second!.width, `${first!.width} against ${second!.width}`)
    const board = await page.getByRole('region', { name: 'Status' }).boundingBox()
    assert.ok(first!.y + first!.height < board!.y, 'the squares stand above the tiles')
    const fills = (place: string) =>
      page.evaluate(
        `[...document.querySelectorAll('${place} path:not(.square-grid)')].map((path) => getComputedStyle(path).fill)`,
      )
    const shown = await fills('.strip > li:first-child svg')
    await visitor.follow(`${recorded.url}block/${filled[0]}`)
    assert.deepEqual(await fills('.square svg'), shown)
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  longTest('one range rules all charts of a page and is part of its address', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    const heads = async () => [
      ...new Set((await page.locator('.chart-head').allInnerTexts()).map((text) => /(in .*? days?|of all time)/.exec(text)?.[1])),
    ]
    await visitor.visit(`${recorded.url}statistics?per=hour`)
    assert.deepEqual(await heads(), ['in 30 days'])
    await page.getByRole('link', { name: '7 d', exact: true }).click()
    await visitor.settled()
    assert.equal(new URL(page.url()).search, '?per=hour&range=7d')
    assert.deepEqual(await heads(), ['in 7 days'])
    await page.getByRole('link', { name: 'all', exact: true }).click()
    await visitor.settled()
    assert.deepEqual(await heads(), ['of all time'])
    const { last_time } = (await recorded.client.getHead())!
    await visitor.visit(`${recorded.url}statistics?per=hour&range=custom&since=2020-01-01&until=2020-01-05`)
    assert.equal(await page.getByText('No values in this period.').first().isVisible(), true)
    await page.getByLabel('Last day of the charts').fill(last_time.slice(0, 10))
    await page.getByLabel('First day of the charts').fill(last_time.slice(0, 10))
    await visitor.settled()
    assert.match(page.url(), new RegExp(`since=${last_time.slice(0, 10)}`))
    assert.deepEqual(await heads(), ['in one day'])
    const head = await page.getByRole('region', { name: 'Transactions', exact: true }).locator('.chart-head').innerText()
    const day = Date.parse(last_time.slice(0, 10)) / 1000
    const rows = await recorded.client.getSeries({ name: 'tx_count', timeframe: 'hour', from: day, to: day + 86_400 })
    assert.equal(
      Number(head.split(' ')[0]!.replaceAll(',', '')),
      rows.reduce((sum, { value }) => sum + Number(value), 0),
    )
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  longTest('on a phone filters unfold when asked for, and a row that continues fades', async () => {
    const visitor = await openVisitor(executable, PHONE)
    const { page } = visitor
    await visitor.visit(`${recorded.url}txs`)
    const form = page.getByRole('form', { name: 'Filters' })
    assert.equal(await form.isVisible(), false)
    await page.getByRole('button', { name: 'Filters' }).tap()
    await form.getByLabel('Status').selectOption('failed')
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
    const places = page.locator('.places ul')
    assert.match((await places.getAttribute('class')) ?? '', /more-after/)
    await page.evaluate('document.querySelector(".places ul").scrollLeft = 10000')
    await page.locator('.places ul.more-before:not(.more-after)').waitFor()
    await visitor.assertAccessible()
    visitor.assertNoComplaints()
    await visitor.leave()
  })
})
