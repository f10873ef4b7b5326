import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { longTest } from '../../support/long-test.ts'
import { openVisitor } from '../visitor.ts'
import { testRecorded } from './site.ts'

/** Addresses of the page, and what it can do with a list and a blob. */
testRecorded('addresses, lists and proofs of the page', (executable, recorded) => {
  test('an address without # survives a reload, old ones lead there, and links load nothing again', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    await visitor.visit(`${recorded.url}block/390`)
    await page.getByRole('heading', { level: 1, name: 'Block 390' }).waitFor()
    assert.equal(await page.title(), 'Block 390 · main · Astrolabe')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Block 390' }).waitFor()
    await page.evaluate('window.stayed = true')
    await page.getByRole('link', { name: 'Block 391' }).click()
    await page.getByRole('heading', { level: 1, name: 'Block 391' }).waitFor()
    assert.equal(page.url(), `${recorded.url}block/391`)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Block 390' }).waitFor()
    assert.equal(await page.evaluate('window.stayed'), true)
    await page.goto(`${recorded.url}#/block/77?tab=events`)
    await page.getByRole('heading', { level: 1, name: 'Block 77' }).waitFor()
    assert.equal(page.url(), `${recorded.url}block/77?tab=events`)
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('the API keeps its addresses, and robots are told what to read', async () => {
    const block = await fetch(`${recorded.url}v1/block/1`)
    assert.match(block.headers.get('content-type') ?? '', /json/)
    const nowhere = await fetch(`${recorded.url}nowhere`)
    assert.equal(nowhere.status, 404)
    for (const place of ['nowhere', 'block/99999999']) {
      const page = await fetch(`${recorded.url}${place}`, { headers: { accept: 'text/html' } })
      assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'], place)
    }
    assert.match(await (await fetch(`${recorded.url}robots.txt`)).text(), /Disallow: \/v1\//)
  })

  test('a list is narrowed by its filters, and saved as CSV', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    const [blob] = (await recorded.client.listBlobs({ limit: 1, sort: 'desc' }))!
    await visitor.visit(`${recorded.url}blobs`)
    await page.getByLabel('Commitment').fill(blob!.commitment)
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('link', { name: 'Clear' }).waitFor()
    await visitor.settled()
    const expected = (await recorded.client.listBlobs({ commitment: blob!.commitment, limit: 20 }))!.length
    assert.equal(await page.locator('tbody tr').count(), expected)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    assert.equal((await download).suggestedFilename(), 'listBlobs.csv')
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a blob is proven in the browser, and a false proof is refused', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    const [blob] = (await recorded.client.listBlobs({ limit: 1, sort: 'desc' }))!
    const address = ['blob', blob!.height, encodeURIComponent(blob!.namespace), encodeURIComponent(blob!.commitment)].join('/')
    await visitor.visit(`${recorded.url}${address}`)
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('Proven', { exact: true }).waitFor()
    await visitor.screenshot('blob-proven')
    visitor.assertNoComplaints()
    await page.route('**/v1/blob/proof?*', async (route) => {
      const response = await route.fetch()
      const proof = (await response.json()) as { shares: string[] }
      const share = Buffer.from(proof.shares[0]!, 'base64')
      share[100]! ^= 1
      await route.fulfill({ response, json: { ...proof, shares: [share.toString('base64'), ...proof.shares.slice(1)] } })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Verify in this browser' }).click()
    await page.getByText('Not proven').waitFor()
    await visitor.leave()
  })

  test('the first view is below 150 kB, gzipped', async () => {
    const visitor = await openVisitor(executable)
    const sizes: Promise<number>[] = []
    visitor.page.on('response', (response) => {
      if (!response.url().includes('/v1/')) sizes.push(response.body().then((body) => gzipSync(body).length))
    })
    await visitor.visit(recorded.url)
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    console.log(`first view: ${Math.round(total / 1000)} kB gzipped without data`)
    assert.ok(total < 150_000, `${total} bytes`)
    await visitor.leave()
  })

  longTest('a panel that cannot be drawn leaves the others', async () => {
    const visitor = await openVisitor(executable)
    await visitor.page.route('**/v1/stats/messages_count_24h', (route) => route.fulfill({ json: [{ name: 7, value: 'x' }] }))
    await visitor.visit(recorded.url)
    await visitor.page.getByText('This part could not be drawn.').waitFor()
    await visitor.page.getByRole('region', { name: 'Latest blocks' }).locator('tbody tr').first().waitFor()
    await visitor.leave()
  })
})
