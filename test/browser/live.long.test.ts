import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLive } from './live.case.ts'
import { DESKTOP, openVisitor, PHONE } from './visitor.ts'

testLive((live) => {
  test('without a WebSocket the page asks for new blocks', async () => {
    const visitor = await openVisitor(live.executable)
    const { page } = visitor
    await page.routeWebSocket(/\/v1\/ws$/, (socket) => socket.close())
    await visitor.visit(`${live.main}`)
    await page.locator('.pill.polling').waitFor()
    await live.node.advance()
    await page.locator('.tile.head .tile-value', { hasText: new RegExp(`^${live.node.height}$`) }).waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('a block that is waited for appears when it comes', async () => {
    const visitor = await openVisitor(live.executable)
    const next = live.node.height + 1
    await visitor.visit(`${live.main}block/${next}`)
    await visitor.page.getByText('This block is not there yet').waitFor()
    await live.node.advance()
    await visitor.page.getByRole('region', { name: 'Data square' }).waitFor()
    // The document of a block that is not there yet is a 404.
    assert.deepEqual(
      visitor.complaints.filter((text) => !text.includes(`/block/${next}`)),
      [],
    )
    await visitor.leave()
  })

  test('what is found only once is opened, what is found often is listed, nothing found is said', async () => {
    const visitor = await openVisitor(live.executable)
    const { page } = visitor
    const search = async (text: string) => {
      await page.getByRole('combobox', { name: /^Search for/ }).fill(text)
      await page.getByRole('combobox', { name: /^Search for/ }).press('Enter')
    }
    await visitor.visit(`${live.main}`)
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
    const visitor = await openVisitor(live.executable, PHONE)
    const { page } = visitor
    await visitor.visit(`${live.main}`)
    await page.locator('.network summary').click()
    await visitor.screenshot('networks-phone')
    await visitor.assertAccessible()
    await page.getByRole('link', { name: /test-1/ }).click()
    await page.getByText(`Chain ${live.site.chainIds[1]}`).waitFor()
    await visitor.settled()
    assert.ok(page.url().startsWith(live.other))
    await page.locator('.network summary', { hasText: 'test-1' }).waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('the theme follows the system until one is chosen, and the choice stays', async () => {
    const visitor = await openVisitor(live.executable, { ...DESKTOP, theme: 'dark' })
    const { page } = visitor
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    await visitor.visit(`${live.main}`)
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
    const visitor = await openVisitor(live.executable)
    const { page } = visitor
    let lag = 7
    // Blocks of the recording are old by the clock of this machine.
    const { last_time } = (await (await fetch(`${live.main}v1/head`)).json()) as { last_time: string }
    await page.clock.install({ time: last_time })
    await page.route('**/v1/head', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'x-lag-blocks': String(lag) } })
    })
    await visitor.visit(`${live.main}`)
    await page.getByText('7 blocks behind the node').waitFor()
    await page.locator('.pill.live').waitFor()
    lag = 0
    await live.node.advance()
    // Less than after which a silent connection is checked.
    await page.clock.runFor(14_000)
    await page.getByText('Level with the node').waitFor()
    await visitor.leave()
  })

  test('before the first block is indexed the page says so and waits for nothing', async () => {
    const visitor = await openVisitor(live.executable)
    await visitor.page.routeWebSocket(/\/v1\/ws$/, () => {})
    await visitor.page.route('**/v1/head', (route) => route.fulfill({ status: 204 }))
    await visitor.visit(`${live.main}`)
    await visitor.page.getByText('No block is indexed yet').waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })

  test('what could not be loaded says so and can be tried again', async () => {
    const visitor = await openVisitor(live.executable)
    const { page } = visitor
    let isBroken = true
    await page.route('**/v1/validators?*', (route) =>
      isBroken ? route.fulfill({ status: 500, json: { message: 'Internal Server Error', code: 'internal' } }) : route.continue(),
    )
    await visitor.visit(`${live.main}validators`)
    await page.getByRole('alert').getByText('Internal Server Error').waitFor()
    await visitor.assertAccessible()
    await visitor.screenshot('failure')
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'observatory-0' }).waitFor()
    await visitor.leave()
  })
})
