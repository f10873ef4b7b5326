import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSound, DESKTOP, openVisitor, PHONE } from '../visitor.ts'
import { findPlaces } from './place-list.ts'
import { testRecorded } from './site.ts'

/** Looks at the places of these names; at all there are without any. */
export const testPages = (names?: readonly string[]): void =>
  testRecorded('places of the page', (executable, recorded) => {
    test(`${names === undefined ? 'every page shows' : `${names.length} pages show`} the chain on a desktop and on a phone, without complaint of browser or axe, and fit into 320 pixels`, async (t) => {
      const visitor = await openVisitor(executable)
      await visitor.visit(recorded.url)
      const places = await findPlaces(recorded.client)
      for (const place of places.filter(({ name }) => names?.includes(name) ?? true))
        await t.test(place.name, async () => {
          await visitor.become(DESKTOP)
          visitor.complaints.length = 0
          const address = `${recorded.url}${place.address}`
          // All addresses are answered with the same page, so it is loaded once.
          const answer = await fetch(address)
          const status = place.name === 'no-such-page' ? 404 : 200
          assert.deepEqual([answer.status, answer.headers.get('content-type')], [status, 'text/html; charset=utf-8'])
          await visitor.follow(address)
          for (const look of [DESKTOP, PHONE]) {
            if (look === PHONE) await visitor.become(PHONE)
            const name = `${place.name}-${look === PHONE ? 'phone' : 'desktop'}`
            await visitor.screenshot(name)
            const text = (await visitor.page.locator('main').textContent()) ?? ''
            for (const part of place.shows) assert.ok(text.includes(part), `${name} does not show ${part}:\n${text}`)
            await assertSound(visitor, name, look)
          }
          await visitor.become({ ...PHONE, width: 320 })
          await visitor.assertFits(`${place.name} at 320 pixels`)
          assert.ok(await visitor.page.locator('h1').first().isVisible(), `${place.name} has no heading at 320 pixels`)
          visitor.assertNoComplaints()
        })
      await visitor.leave()
    })
  })
