import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longTest } from '../support/long-test.ts'
import { testLive } from './live.case.ts'
import { openVisitor } from './visitor.ts'

testLive((live) => {
  test('a block that arrives is shown at once, without a reload', async () => {
    const visitor = await openVisitor(live.executable)
    const { page } = visitor
    await visitor.visit(`${live.main}`)
    await page.locator('.pill.live').waitFor()
    await page.evaluate('window.stayed = true')
    for (let i = 0; i < 3; i++) {
      await live.node.advance()
      await page.locator('.tile.head .tile-value', { hasText: new RegExp(`^${live.node.height}$`) }).waitFor()
      const first = page.getByRole('region', { name: 'Latest blocks' }).locator('tbody tr').first()
      await first.getByText(String(live.node.height), { exact: true }).waitFor()
    }
    assert.equal(await page.evaluate('window.stayed'), true)
    await visitor.screenshot('live')
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  longTest('a search leads to its result, by keyboard alone', async () => {
    const visitor = await openVisitor(live.executable)
    const { page } = visitor
    await visitor.visit(`${live.main}`)
    await page.keyboard.press('/')
    await page.keyboard.type('observatory')
    await page.getByRole('option', { name: /Validator observatory-0/ }).waitFor()
    await visitor.screenshot('search-suggestions')
    await visitor.assertAccessible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Validator observatory/ }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1', 'the heading has the focus')
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a server that goes away is missed, and when it is back the page continues on its own', async () => {
    const visitor = await openVisitor(live.executable)
    const { page } = visitor
    let isAway = false
    let pushed: { close: () => Promise<void> } | undefined
    await page.routeWebSocket(/\/v1\/ws$/, (socket) => {
      pushed = socket
      if (isAway) void socket.close()
      else socket.connectToServer()
    })
    await page.route('**/v1/**', (route) => (isAway ? route.abort() : route.continue()))
    await visitor.visit(`${live.main}`)
    await page.locator('.pill.live').waitFor()
    isAway = true
    await pushed!.close()
    await page.getByText('The server does not answer').waitFor()
    await page.getByText('Not connected').waitFor()
    await page.goto(`${live.main}validators`)
    await page.getByRole('alert').first().waitFor()
    await visitor.assertAccessible()
    await visitor.screenshotNow('server-away')
    isAway = false
    await page.getByRole('link', { name: 'observatory-0' }).waitFor()
    await page.locator('.pill.live').waitFor()
    assert.equal(await page.getByText('The server does not answer').count(), 0)
    await visitor.leave()
  })
})
