import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSound, DESKTOP, openVisitor, PHONE } from '../visitor.ts'
import { serveLimited, testRecorded } from './site.ts'

/** Names and colours of the legend of a square. */
const READ_LEGEND = `[...document.querySelectorAll('.square-legend li')].map((entry) => [
  entry.querySelector('a, .bar-name').innerText,
  getComputedStyle(entry.querySelector('.swatch')).backgroundColor,
])`

/** Contents of the page: numbers, words about states, and where a link leads. */
testRecorded('what the page says', (executable, recorded) => {
  test('shares are of the whole, not of the rows that are shown', async () => {
    const counts = await recorded.client.countMessages24h()
    const sum = counts.reduce((total, { value }) => total + value, 0)
    const blobs = counts.find(({ name }) => name === 'MsgPayForBlobs')!
    const truth = `${((blobs.value / sum) * 100).toFixed(2)}%`
    const visitor = await openVisitor(executable)
    for (const place of ['', 'statistics']) {
      await visitor.visit(`${recorded.url}${place}`)
      const rows = visitor.page.getByRole('list', { name: 'Messages in 24 hours by type' }).getByRole('listitem')
      assert.match((await rows.filter({ hasText: 'Pay For Blobs' }).textContent()) ?? '', new RegExp(`${truth}$`), place)
      const shares = await rows.locator('.bar-part').allTextContents()
      const total = shares.reduce((whole, share) => whole + Number.parseFloat(share), 0)
      assert.ok(Math.abs(total - 100) < 0.1, `${place}: the shares add up to ${total} %`)
    }
    await visitor.leave()
  })

  test('the blobs of a namespace, a block, a transaction and an account can be opened', async () => {
    const [paid] = await recorded.client.listTxs({ msg_type: ['MsgPayForBlobs'], status: ['success'], sort: 'desc', limit: 1 })
    const blob = (await recorded.client.listTxBlobs({ hash: paid!.hash, limit: 1 }))?.[0]
    const { namespace_id, version } = blob!.namespace!
    const visitor = await openVisitor(executable, PHONE)
    for (const place of [
      `namespace/${namespace_id}/${version}`,
      `block/${paid!.height}?tab=blobs`,
      `tx/${paid!.hash}?tab=blobs`,
      `address/${paid!.signers![0]!.hash}?tab=blobs`,
    ]) {
      await visitor.visit(`${recorded.url}${place}`)
      await visitor.page
        .getByRole('table', { name: /^Blobs of/ })
        .locator('tbody a')
        .first()
        .click()
      await visitor.page.getByRole('heading', { level: 1, name: /^Blob / }).waitFor()
      await visitor.page.getByRole('region', { name: 'Content' }).waitFor()
    }
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a chain that stands still is not called live or level', async () => {
    const visitor = await openVisitor(executable)
    await visitor.visit(`${recorded.url}`)
    await visitor.page.locator('.pill.still', { hasText: 'No new block' }).waitFor()
    await visitor.page.getByText(/No new block for \d/).waitFor()
    const text = (await visitor.page.locator('body').textContent()) ?? ''
    assert.ok(!text.includes('Level with the node') && !text.includes('Synced'))
    await visitor.leave()
  })

  test('a server that refuses to answer is not an empty chain', async () => {
    const visitor = await openVisitor(executable)
    await visitor.page.route('**/v1/head', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '30' },
        json: { message: 'Too Many Requests', code: 'rate_limited' },
      }),
    )
    await visitor.page.goto(`${recorded.url}`)
    await visitor.page.locator('.pill', { hasText: /Live|Polling|Offline/ }).waitFor()
    await visitor.page.getByText('The server does not answer').waitFor()
    assert.equal(await visitor.page.getByText('No block is indexed yet').count(), 0)
    await visitor.leave()
  })

  test('without a whole day before nothing is compared with it', async () => {
    const visitor = await openVisitor(executable)
    await visitor.visit(`${recorded.url}statistics`)
    const board = visitor.page.getByRole('region', { name: 'Changes' })
    await board.getByText('no whole day before to compare with').first().waitFor()
    assert.equal(await board.getByText('against the day before').count(), 0)
    assert.ok(!((await board.textContent()) ?? '').includes('100%'))
    await visitor.leave()
  })

  test('signatures are counted against the blocks that the chain has', async () => {
    const [validator] = await recorded.client.listValidators({ limit: 1 })
    const { last_height } = (await recorded.client.getHead())!
    const { block_missed_count: signed } = (await recorded.client.getValidatorMetrics({ id: validator!.id }))!
    const visitor = await openVisitor(executable)
    await visitor.visit(`${recorded.url}validator/${validator!.id}`)
    const scores = (await visitor.page.getByRole('region', { name: 'Scores' }).textContent()) ?? ''
    const part = Number(((signed / (last_height - 1)) * 100).toFixed(2))
    assert.match(scores, new RegExp(`Signed of ${last_height - 1} blocks\\s*${part}%`))
    await visitor.leave()
  })

  test('signatures of a validator are counted over the range of the address', async () => {
    const { last_time } = (await recorded.client.getHead())!
    const day = last_time.slice(0, 10)
    const from = Date.parse(day) / 1000
    const uptimes = (await recorded.client.listUptimes({ from, to: from + 86_400 }))!
    const { id, signed, expected, missed_count } = uptimes.validators[0]!
    assert.ok(missed_count! > 0, 'a validator that missed blocks')
    const visitor = await openVisitor(executable)
    const { page } = visitor
    await visitor.visit(`${recorded.url}validator/${id}?range=custom&since=${day}&until=${day}`)
    const panel = page.getByRole('region', { name: 'Signatures in one day' })
    const text = (await panel.innerText()).replaceAll(/\s+/g, ' ')
    const shown = (value: number) => value.toLocaleString('en')
    assert.ok(text.includes(`${shown(signed!)} of ${shown(expected!)} blocks`), text)
    assert.ok(text.includes(`Missed ${shown(missed_count!)} blocks`), text)
    assert.ok(text.includes(`${shown(uptimes.first_height!)} to ${shown(uptimes.last_height)}`), text)
    assert.match((await panel.getByRole('img').last().getAttribute('aria-label')) ?? '', /blocks signed, missed/)
    await page.getByRole('link', { name: 'all', exact: true }).click()
    await page
      .getByRole('region', { name: 'Signatures of all time' })
      .getByText(`${shown(signed!)} of`)
      .waitFor()
    assert.equal(new URL(page.url()).search, '?range=all')
    await visitor.follow(`${recorded.url}validator/${id}?range=custom&since=2020-01-01&until=2020-01-02`)
    await page.getByText('This period has no block whose signatures are known.').waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('every dataset unfolds the meaning of its columns, on a phone too, with the command for a format', async () => {
    const { datasets } = await recorded.client.listDatasets()
    const visitor = await openVisitor(executable, PHONE)
    const { page } = visitor
    await visitor.visit(recorded.url)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Datasets' }).click()
    await visitor.settled()
    await page.evaluate('for (const entry of document.querySelectorAll(".datasets details")) entry.open = true')
    for (const { name, columns } of datasets)
      assert.equal(
        await page
          .getByRole('table', { name: `Columns of ${name}` })
          .locator('tbody tr')
          .count(),
        columns.length,
        name,
      )
    await assertSound(visitor, 'data', PHONE)
    await visitor.assertAccessible()
    await page.getByRole('link', { name: 'iceberg' }).click()
    await page.getByText('astrolabe export ./data --datasets blobs --format iceberg').waitFor()
    assert.equal(new URL(page.url()).search, '?format=iceberg')
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('on a phone a failed transaction looks failed in every list', async () => {
    const visitor = await openVisitor(executable, PHONE)
    await visitor.visit(`${recorded.url}txs?status=failed`)
    const rows = await visitor.page.locator('tbody tr').count()
    assert.ok(rows > 0)
    assert.equal(await visitor.page.locator('tbody .narrow .badge.bad:visible').count(), rows)
    await visitor.leave()
  })

  test('a namespace has the same colour in every block', async () => {
    const visitor = await openVisitor(executable)
    const seen = new Map<string, Set<string>>()
    const blobs = await recorded.client.listBlobs({ limit: 100, sort: 'desc' })
    const heights = [...new Set(blobs?.map(({ height }) => height))].slice(0, 8)
    await visitor.visit(recorded.url)
    for (const height of heights) {
      await visitor.follow(`${recorded.url}block/${height}`)
      for (const [name, colour] of (await visitor.page.evaluate(READ_LEGEND)) as [string, string][])
        seen.set(name, (seen.get(name) ?? new Set()).add(colour))
    }
    assert.ok(seen.size > 3)
    for (const [name, colours] of seen) assert.equal(colours.size, 1, `${name}: ${[...colours].join(' and ')}`)
    await visitor.leave()
  })

  test('an error outside of any module is not said to be in "undefined"', async () => {
    const [failed] = await recorded.client.listTxs({ status: ['failed'], limit: 1 })
    const visitor = await openVisitor(executable)
    await visitor.page.route(`**/v1/tx/${failed!.hash}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), codespace: 'undefined' } })
    })
    await visitor.visit(`${recorded.url}tx/${failed!.hash}`)
    await visitor.page.getByText('It failed:').waitFor()
    await visitor.leave()
  })

  test('all views of the statistics fit into the free plan', async () => {
    const limited = await serveLimited()
    const visitor = await openVisitor(executable, { ...DESKTOP, height: 5000 })
    try {
      await visitor.visit(`${limited.urls[0]}statistics`)
      for (const timeframe of ['hour', 'day', 'week', 'month', 'year']) {
        await visitor.page.getByRole('link', { name: `per ${timeframe}` }).click()
        await visitor.page.getByRole('img', { name: new RegExp(`^Commissions per ${timeframe}`) }).waitFor()
      }
      visitor.assertNoComplaints()
    } finally {
      await visitor.leave()
      await limited.close()
    }
  })
})
