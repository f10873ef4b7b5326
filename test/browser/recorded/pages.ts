import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DESKTOP, openVisitor, PHONE } from '../visitor.ts'
import { findPlaces, type Place } from './place-list.ts'
import { serveLimited, testRecorded } from './site.ts'

testRecorded('the pages', (executable, recorded) => {
  let places: Place[]
  before(async () => {
    places = await findPlaces(recorded.client)
  })

  test('a chart that is not drawn again yet does not widen a window that became narrower', async () => {
    const visitor = await openVisitor(executable, PHONE)
    // Nothing is told that its size changed, so the charts stay as they are.
    await visitor.page.addInitScript('window.ResizeObserver = class { observe() {} disconnect() {} }')
    await visitor.visit(`${recorded.url}statistics`)
    await visitor.page.locator('.chart-room canvas').first().waitFor()
    await visitor.page.setViewportSize({ width: 320, height: PHONE.height })
    await visitor.assertFits('statistics')
    await visitor.leave()
  })

  test('the data square has a cell for every share', async () => {
    const visitor = await openVisitor(executable)
    await visitor.visit(`${recorded.url}${places.find(({ name }) => name === 'block')!.address}`)
    const label = await visitor.page.locator('.square svg').getAttribute('aria-label')
    const width = Number(/of (\d+) by/.exec(label ?? '')?.[1])
    const lines = await visitor.page.locator('.square-legend li .number').allTextContents()
    const counted = lines.map((line) => Number(/^([\d,]+) shares/.exec(line)?.[1]?.replaceAll(',', '')))
    assert.equal(
      counted.reduce((sum, count) => sum + count, 0),
      width ** 2,
    )
    await visitor.leave()
  })

  test('a colour of the data square tells what it is, by mouse and by keyboard', async () => {
    const visitor = await openVisitor(executable)
    await visitor.visit(`${recorded.url}${places.find(({ name }) => name === 'block')!.address}`)
    const detail = visitor.page.locator('.square-detail')
    await visitor.page.locator('.square svg path').first().hover()
    assert.match(await detail.innerText(), /^Transactions: \d+ shares?, /)
    const link = visitor.page.locator('.square-legend a').first()
    await link.focus()
    assert.match(await detail.innerText(), new RegExp(`^Namespace ${await link.innerText()}: `))
    await visitor.leave()
  })

  test('an address that names no tab or page of a thing shows the thing', async () => {
    const visitor = await openVisitor(executable)
    const things = places.filter(
      ({ name, address }) => name !== 'no-such-page' && /^(block|tx|address|namespace|validator|rollup)\//.test(address),
    )
    await visitor.visit(recorded.url)
    for (const { name, address } of things) {
      await visitor.follow(`${recorded.url}${address.replace(/\?.*$/, '')}?tab=nonsense&page=-1`)
      assert.ok((await visitor.page.locator('main .panel').count()) > 1, name)
    }
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('what can be nowhere is said, without an offer to try again', async () => {
    const visitor = await openVisitor(executable)
    await visitor.visit(`${recorded.url}tx/nonsense`)
    await visitor.page.getByRole('alert').getByText('Nothing can be at this address').waitFor()
    assert.equal(await visitor.page.getByRole('button', { name: 'Try again' }).count(), 0)
    await visitor.leave()
  })

  test('going back leads to where one was in a list', async () => {
    const visitor = await openVisitor(executable, { ...DESKTOP, height: 500 })
    const { page } = visitor
    const scrolled = async () => Number(await page.evaluate('scrollY'))
    await visitor.visit(`${recorded.url}txs`)
    const row = page.locator('tbody tr').nth(15)
    await row.scrollIntoViewIfNeeded()
    const before = await scrolled()
    assert.ok(before > 100, 'the list is longer than the window')
    await row.locator('a').first().click()
    await page.getByRole('region', { name: 'Summary' }).waitFor()
    assert.equal(await scrolled(), 0)
    await page.goBack()
    assert.ok(await page.evaluate(comesTo(before)))
    await visitor.leave()
  })

  test('every series of the API has a chart, in every timeframe and as a running sum', async () => {
    const { paths } = (await (await fetch(`${recorded.url}openapi.json`)).json()) as OpenApi
    const names = (path: string) => paths[path]!.get.parameters[0]!.schema.enum
    const visitor = await openVisitor(executable, { ...DESKTOP, height: 5000 })
    for (const timeframe of ['hour', 'day', 'week', 'month', 'year']) {
      await visitor.visit(`${recorded.url}statistics?per=${timeframe}`)
      const all = names('/v1/stats/series/{name}/{timeframe}')
      const charts = visitor.page.locator('.charts canvas')
      await charts.nth(all.length - 1).waitFor()
      assert.equal(await charts.count(), all.length)
    }
    await visitor.visit(`${recorded.url}statistics?per=day&sum=running`)
    const sums = names('/v1/stats/series/{name}/{timeframe}/cumulative').length
    await visitor.page
      .locator('.charts canvas')
      .nth(sums - 1)
      .waitFor()
    assert.equal(await visitor.page.locator('.charts canvas').count(), sums)
    await visitor.screenshot('statistics-running-sum')
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a visitor who asks for more than the free plan gives waits, and gets all of it', async () => {
    const limited = await serveLimited()
    const visitor = await openVisitor(executable)
    try {
      for (let i = 0; i < 4; i++) {
        await visitor.page.goto(`${limited.urls[0]}statistics?per=day&try=${i}`)
        await visitor.page.getByRole('img', { name: /^Commissions per day/ }).waitFor()
        await visitor.page.locator('.charts canvas').nth(16).waitFor()
      }
      assert.ok(
        visitor.complaints.some((complaint) => complaint.startsWith('status 429')),
        'the limit was met',
      )
      assert.equal(await visitor.page.locator('.failure').count(), 0)
    } finally {
      await visitor.leave()
      await limited.close()
    }
  })

  test('the reference of the API opens from the page, without complaint, and leads back', async () => {
    const visitor = await openVisitor(executable)
    await visitor.visit(recorded.url)
    await visitor.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API docs' }).click()
    await visitor.page.locator('.opblock-tag', { hasText: 'block' }).first().waitFor()
    await visitor.page.getByRole('link', { name: 'Back to the page' }).click()
    await visitor.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a chart can be read as a table', async () => {
    const visitor = await openVisitor(executable)
    await visitor.visit(recorded.url)
    await visitor.page.getByRole('button', { name: /^Table of/ }).click()
    const values = visitor.page.getByRole('region', { name: /^Values of/ })
    assert.ok((await values.locator('tbody tr').count()) > 50)
    await visitor.assertAccessible()
    await visitor.leave()
  })

  test('the gas estimate is that of the API', async () => {
    const visitor = await openVisitor(executable)
    await visitor.visit(`${recorded.url}gas`)
    await visitor.page.getByLabel('Blob 1, bytes').fill('12')
    await visitor.page.getByRole('button', { name: 'Add a blob' }).click()
    await visitor.page.getByLabel('Blob 2, bytes').fill('34')
    await visitor.page.getByText('84,592 gas').waitFor()
    await visitor.page.getByLabel('Blob 2, bytes').fill('many')
    await visitor.page.getByText('A size is a whole number of bytes.').waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a list continues over pages, and every page has its own address', async () => {
    const visitor = await openVisitor(executable)
    await visitor.visit(`${recorded.url}txs`)
    const first = await visitor.page.locator('tbody a').first().innerText()
    await visitor.page.getByRole('link', { name: 'More' }).click()
    await visitor.page.getByText('Page 2').waitFor()
    await visitor.settled()
    assert.notEqual(await visitor.page.locator('tbody a').first().innerText(), first)
    await visitor.page.reload()
    await visitor.page.getByText('Page 2').waitFor()
    await visitor.page.goBack()
    await visitor.page.getByText('Page 1').waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })
})

/** Whether the window is scrolled there within a few seconds of frames. */
const comesTo = (place: number) => `new Promise((done) => {
  const look = (frames) => Math.abs(scrollY - ${place}) < 2 || frames === 0 ? done(frames > 0) : requestAnimationFrame(() => look(frames - 1))
  look(300)
})`

type OpenApi = { paths: Record<string, { get: { parameters: { schema: { enum: string[] } }[] } }> }
