import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '../../live/stack.ts'
import { Receiver } from '../../webhooks/receiver.ts'
import { DESKTOP, openVisitor, PHONE } from '../visitor.ts'
import { testRecorded } from './site.ts'

testRecorded('webhooks on the page', (executable, recorded) => {
  test('the holder of a key creates, tests, replays, pauses, rotates and deletes a webhook', async () => {
    const visitor = await openVisitor(executable)
    const { page } = visitor
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const part = (name: string) => page.getByRole('region', { name, exact: true })
    const shownSecret = async (words: RegExp) => {
      const text = await page.getByRole('status').filter({ hasText: words }).innerText()
      return /whsec_[\w+/=]+/.exec(text)![0]
    }
    const { last_height: head } = (await recorded.client.getHead())!
    const secrets: string[] = []
    const receiver = await Receiver.open(async () => {
      await waitUntil(() => secrets.length > 0)
      return secrets
    })

    await visitor.visit(`${recorded.url}webhooks`)
    await page.getByLabel('API key').last().fill('no such key')
    await press('Use this key')
    await page.getByRole('alert').getByText('This could not be loaded').waitFor()
    await press('Forget the key')
    visitor.complaints.length = 0

    await page.getByLabel('API key').last().fill(recorded.key)
    await press('Use this key')
    await page.getByText('None yet').waitFor()
    await page.getByRole('checkbox', { name: 'blob', exact: true }).check()
    await page.getByLabel('Namespaces').waitFor()
    await page.getByRole('checkbox', { name: 'blob', exact: true }).uncheck()
    assert.equal(await page.getByLabel('Namespaces').count(), 0, 'only filters of the chosen events are offered')
    await page.getByLabel('Target').fill(receiver.url)
    await page.getByLabel('From height').fill(String(head - 2))
    await press('Create')
    secrets.push(await shownSecret(/^Done Created/))
    await receiver.until((events) => events.length === 3)
    const rows = part('Deliveries').locator('tbody tr')
    // Deliveries are recorded a moment after they were taken.
    for (let looks = 0; looks < 100 && (await rows.filter({ hasText: 'delivered' }).count()) < 3; looks++) {
      await press('Refresh')
      await visitor.settled()
    }
    assert.equal(await rows.filter({ hasText: 'delivered' }).count(), 3)
    assert.equal(await rows.count(), 3)
    for (const look of [DESKTOP, PHONE, { ...PHONE, width: 320 }]) {
      await visitor.become(look)
      await visitor.settled()
      await visitor.screenshot(`webhooks-${look.width}`)
      await visitor.assertFits(`webhooks at ${look.width} pixels`)
      if (look.width !== 320) await visitor.assertAccessible()
    }
    await visitor.become(DESKTOP)

    await press('Send a test')
    await part('Webhook')
      .getByText(/^Done The receiver took it: status 204/)
      .waitFor()
    assert.equal(receiver.events.at(-1)?.type, 'webhook.test')
    await press(`Replay block of block ${head - 1}`)
    await part('Deliveries')
      .getByText(/^Done The receiver took it/)
      .waitFor()
    assert.equal(receiver.events.at(-1)?.id, receiver.events.find(({ height }) => height === head - 1)?.id)
    receiver.manner = () => 'fail'
    await press('Send a test')
    await page.getByText(/^Failed Not taken: /).waitFor()
    receiver.manner = () => 'ok'

    await press('Pause')
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await press('Resume')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await press('Rotate the secret')
    secrets.push(await shownSecret(/New secret/))
    await press('Send a test')
    await part('Webhook')
      .getByText(/^Done The receiver took it/)
      .waitFor()
    assert.deepEqual(receiver.invalid, [])

    await press('Delete')
    await press('Yes, delete it')
    await page.getByText('None yet').waitFor()
    visitor.assertNoComplaints()
    await visitor.leave()
  })
})
