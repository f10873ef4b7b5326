import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { schemaOf } from '../../src/config/schema.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { startIndexer, startNode } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'
import { indexRecording } from '../support/templates.ts'
import { findChromium } from './chromium.ts'
import { type Site, serveSite } from './site.ts'
import { DESKTOP, openVisitor, PHONE } from './visitor.ts'

const executable = findChromium()
if (executable) testLife(executable)

function testLife(executable: string): void {
  let node: ReplayNode
  let site: Site
  let main: string
  let other: string

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
    ;[main, other] = site.urls as [string, string]
  })
  after(() => site.close())

  test('a block that arrives is shown at once, without a reload', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    await visitor.visit(`${main}`)
    await page.locator('.pill.live').waitFor()
    await page.evaluate('window.stayed = true')
    for (let i = 0; i < 3; i++) {
      await node.advance()
      await page.locator('.tile.head .tile-value', { hasText: new RegExp(`^${node.height}$`) }).waitFor()
      const first = page.getByRole('region', { name: 'Latest blocks' }).locator('tbody tr').first()
      await first.getByText(String(node.height), { exact: true }).waitFor()
    }
    assert.equal(await page.evaluate('window.stayed'), true)
    await visitor.screenshot('live')
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('without a WebSocket the page asks for new blocks', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    await page.routeWebSocket(/\/v1\/ws$/, (socket) => socket.close())
    await visitor.visit(`${main}`)
    await page.locator('.pill.polling').waitFor()
    await node.advance()
    await page.locator('.tile.head .tile-value', { hasText: new RegExp(`^${node.height}$`) }).waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a block that is waited for appears when it comes', async () => {
    const visitor = await openVisitor(executable)
    const next = node.height + 1
    await visitor.visit(`${main}block/${next}`)
    await visitor.page.getByText('This block is not there yet').waitFor()
    await node.advance()
    await visitor.page.getByRole('region', { name: 'Data square' }).waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a search leads to its result, by keyboard alone', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    await visitor.visit(`${main}`)
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

  test('what is found only once is opened, what is found often is listed, nothing found is said', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    const search = async (text: string) => {
      await page.getByRole('combobox', { name: /^Search for/ }).fill(text)
      await page.getByRole('combobox', { name: /^Search for/ }).press('Enter')
    }
    await visitor.visit(`${main}`)
    await search('42')
    await page.getByRole('heading', { level: 1, name: 'Block 42' }).waitFor()
    await search('observatory')
    await page
      .getByRole('region', { name: /Results for/ })
      .getByRole('link', { name: 'observatory-0' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Validator observatory-0' }).waitFor()
    await search('there is no such thing')
    await page.getByText('Nothing found.').waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('the switch leads to the page of another network', async () => {
    const visitor = await openVisitor(executable, PHONE)
    const { page } = visitor
    await visitor.visit(`${main}`)
    await page.locator('.network summary').click()
    await visitor.screenshot('networks-phone')
    await visitor.assertAccessible()
    await page.getByRole('link', { name: /test-1/ }).click()
    await page.getByText(`Chain ${site.chainIds[1]}`).waitFor()
    await visitor.settled()
    assert.ok(page.url().startsWith(other))
    await page.locator('.network summary', { hasText: 'test-1' }).waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('the theme follows the system until one is chosen, and the choice stays', async () => {
    const visitor = await openVisitor(executable, { ...DESKTOP, theme: 'dark' })
    const { page } = visitor
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    await visitor.visit(`${main}`)
    const dark = await ground()
    await visitor.screenshot('overview-dark')
    await page.getByRole('button', { name: 'Use the light theme' }).click()
    const light = await ground()
    assert.notEqual(light, dark)
    await page.reload()
    await visitor.settled()
    assert.equal(await ground(), light)
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('how far the index is behind its node is shown as it changes, also while blocks are pushed', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    let lag = 7
    // Blocks of the recording are old by the clock of this machine.
    const { last_time } = (await (await fetch(`${main}v1/head`)).json()) as { last_time: string }
    await page.clock.install({ time: last_time })
    await page.route('**/v1/head', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'x-lag-blocks': String(lag) } })
    })
    await visitor.visit(`${main}`)
    await page.getByText('7 blocks behind the node').waitFor()
    await page.locator('.pill.live').waitFor()
    lag = 0
    await node.advance()
    // Less than after which a silent connection is checked.
    await page.clock.runFor(14_000)
    await page.getByText('Level with the node').waitFor()
    await visitor.leave()
  })

  test('a server that goes away is missed, and when it is back the page goes on by itself', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    let isAway = false
    let pushed: { close: () => Promise<void> } | undefined
    await page.routeWebSocket(/\/v1\/ws$/, (socket) => {
      pushed = socket
      if (isAway) void socket.close()
      else socket.connectToServer()
    })
    await page.route('**/v1/**', (route) => (isAway ? route.abort() : route.continue()))
    await visitor.visit(`${main}`)
    await page.locator('.pill.live').waitFor()
    isAway = true
    await pushed!.close()
    await page.getByText('The server does not answer').waitFor()
    await page.getByText('Not connected').waitFor()
    await page.goto(`${main}validators`)
    await page.getByRole('alert').first().waitFor()
    await visitor.assertAccessible()
    await visitor.screenshotNow('server-away')
    isAway = false
    await page.getByRole('link', { name: 'observatory-0' }).waitFor()
    await page.locator('.pill.live').waitFor()
    assert.equal(await page.getByText('The server does not answer').count(), 0)
    await visitor.leave()
  })

  test('before the first block is indexed the page says so and waits for nothing', async () => {
    const visitor = await openVisitor(executable)
    await visitor.page.routeWebSocket(/\/v1\/ws$/, () => {})
    await visitor.page.route('**/v1/head', (route) => route.fulfill({ status: 204 }))
    await visitor.visit(`${main}`)
    await visitor.page.getByText('No block is indexed yet').waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('what could not be loaded says so and can be tried again', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    let isBroken = true
    await page.route('**/v1/validators?*', (route) =>
      isBroken ? route.fulfill({ status: 500, json: { message: 'Internal Server Error', code: 'internal' } }) : route.continue(),
    )
    await visitor.visit(`${main}validators`)
    await page.getByRole('alert').getByText('Internal Server Error').waitFor()
    await visitor.assertAccessible()
    await visitor.screenshot('failure')
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'observatory-0' }).waitFor()
    await visitor.leave()
  })
}
