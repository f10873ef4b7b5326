import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { DESKTOP, openVisitor } from '../visitor.ts'
import { testRecorded } from './site.ts'

/** Abilities of every visitor: find anything, go anywhere by keyboard, and take a chart along. */
testRecorded('every visitor', (executable, recorded) => {
  test('the search leads to every kind of thing, in every form that the page shows', async () => {
    const { client } = recorded
    const [paid] = await client.listTxs({ msg_type: ['MsgPayForBlobs'], status: ['success'], sort: 'desc', limit: 1 })
    const blob = (await client.listTxBlobs({ hash: paid!.hash, limit: 1 }))![0]!
    const [validator] = await client.listValidators({ limit: 1 })
    const [rollup] = await client.listRollups({ limit: 1 })
    const block = (await client.getBlock({ height: 77 }))!
    const namespace = blob.namespace!
    const found: [text: string, heading: RegExp][] = [
      ['77', /^Block 77$/],
      [block.hash, /^Block 77$/],
      [paid!.hash, /^Transaction /],
      [paid!.hash.toUpperCase(), /^Transaction /],
      [paid!.signers![0]!.hash, /^Account /],
      [validator!.address.hash, /^(Validator|Account) /],
      [validator!.cons_address, /^Validator /],
      [validator!.moniker, /^Validator /],
      [namespace.name, /^Namespace /],
      [namespace.hash, /^Namespace /],
      [namespace.namespace_id, /^Namespace /],
      [blob.commitment, /^Blob /],
      [rollup!.name, new RegExp(rollup!.name)],
    ]
    const visitor = await openVisitor(executable)
    const { page } = visitor
    await visitor.visit(recorded.url)
    for (const [text, heading] of found) {
      await page.getByRole('combobox', { name: /^Search for/ }).fill(text)
      await page.getByRole('combobox', { name: /^Search for/ }).press('Enter')
      await page
        .getByRole('heading', { level: 1 })
        .filter({ hasNotText: /^Overview$/ })
        .waitFor()
      // One result is opened, several are listed: then the first of its name is followed.
      const results = page.getByRole('region', { name: /Results for/ }).getByRole('link')
      await page.getByRole('heading', { level: 1, name: heading }).or(results.first()).first().waitFor()
      if ((await results.count()) > 0) await results.first().click()
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await visitor.follow(recorded.url)
    }
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('the keyboard alone leads through the page: over the links to the content, into a list, to a chart and its range', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    await visitor.visit(recorded.url)
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'main')
    await tabTo(page, /^All transactions$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
    await visitor.settled()
    await tabTo(page, /^[0-9a-f]{8}…/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Transaction / }).waitFor()
    await visitor.visit(`${recorded.url}statistics`)
    await tabTo(page, /^Range of Throughput/)
    await page.keyboard.press('Enter')
    const before = await countValues(page)
    await page.getByRole('slider', { name: /^From of Throughput/ }).focus()
    for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowRight')
    await page.getByRole('img', { name: new RegExp(`^Throughput per block: ${before - 10} values`) }).waitFor()
    await visitor.assertAccessible()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a part of a chart is chosen by dragging over it, and saved as a picture and as CSV', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    await visitor.visit(`${recorded.url}statistics`)
    const chart = page.getByRole('img', { name: /^Throughput per block/ })
    const before = await countValues(page)
    const box = (await chart.locator('.u-over').boundingBox())!
    await page.mouse.move(box.x + box.width * 0.25, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.75, box.y + 40, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Whole range' }).waitFor()
    const chosen = await countValues(page)
    assert.ok(chosen > before * 0.4 && chosen < before * 0.6, `${chosen} of ${before}`)
    const save = async (kind: string) => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: new RegExp(`^${kind} of Throughput`) }).click()
      return readFile(await (await download).path())
    }
    const lines = (await save('CSV')).toString().trim().split('\n')
    assert.equal(lines[0], 'height,Blob data posted,Limit of the chain')
    assert.equal(lines.length, chosen + 1)
    assert.deepEqual([...(await save('PNG')).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47])
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('two series are compared over the same times', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    await visitor.visit(`${recorded.url}statistics`)
    await page.getByLabel('First series').selectOption('tx_count')
    await page.getByLabel('Second series').selectOption('block_time')
    await page.getByRole('img', { name: /^Transactions and Block time per block/ }).waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a block is verified in the browser, and one that is not the signed one is refused', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    const verify = () => page.getByRole('button', { name: 'Verify in this browser' }).click()
    await visitor.visit(`${recorded.url}block/150`)
    await verify()
    await page.getByText('Proven', { exact: true }).waitFor()
    visitor.assertNoComplaints()
    await page.route('**/v1/block/150?*', async (route) => {
      const response = await route.fetch()
      const block = (await response.json()) as { app_hash: string }
      await route.fulfill({ response, json: { ...block, app_hash: block.app_hash.replace(/^../, '00') } })
    })
    await page.reload()
    await verify()
    await page.getByText('the signed header is not the one shown').waitFor()
    await visitor.leave()
  })

  test('every list of a thing can be taken along as JSON and CSV', async () => {
    const { client } = recorded
    const [paid] = await client.listTxs({ msg_type: ['MsgPayForBlobs'], status: ['success'], sort: 'desc', limit: 1 })
    const visitor = await openVisitor(executable)
    for (const place of [
      `block/${paid!.height}`,
      `tx/${paid!.hash}`,
      `address/${paid!.signers![0]!.hash}`,
      'validator/1',
      'rollups',
    ]) {
      await visitor.visit(`${recorded.url}${place}`)
      const list = visitor.page.locator('.exports').last()
      const json = await list.getByRole('link', { name: 'JSON' }).getAttribute('href')
      assert.equal((await fetch(new URL(json!, recorded.url))).status, 200, place)
      const download = visitor.page.waitForEvent('download')
      await list.getByRole('button', { name: 'CSV' }).click()
      assert.match((await readFile(await (await download).path())).toString(), /,/, place)
    }
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('without a connection the page says so, and keeps what it shows', async () => {
    const visitor = await openVisitor(executable, DESKTOP)
    const { page } = visitor
    await visitor.visit(recorded.url)
    const height = await page.locator('.tile.head .tile-value').innerText()
    await page.context().setOffline(true)
    await page.getByText('The server does not answer').waitFor()
    assert.equal(await page.locator('.tile.head .tile-value').innerText(), height)
    await page.context().setOffline(false)
    await page.getByText('The server does not answer').waitFor({ state: 'detached' })
    await visitor.leave()
  })
})

const focused = (page: Page) =>
  page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent') as Promise<string>

/** Presses Tab until something of this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 200; i++) {
    await page.keyboard.press('Tab')
    if (name.test(await focused(page))) return
  }
  assert.fail(`Tab does not lead to ${name}`)
}

async function countValues(page: Page): Promise<number> {
  const label = await page.getByRole('img', { name: /^Throughput per block/ }).getAttribute('aria-label')
  return Number(/: (\d+) values/.exec(label ?? '')?.[1])
}
