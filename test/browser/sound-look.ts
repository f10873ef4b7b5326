import assert from 'node:assert/strict'
import { type Look, PHONE, type Visitor } from './visitor.ts'

/** Names of the tables with columns that only scrolling shows. */
const FIND_CUT_TABLES = `[...document.querySelectorAll('.table-room')]
  .filter((room) => room.scrollWidth > room.clientWidth)
  .map((room) => room.querySelector('caption').textContent + ' by ' + (room.scrollWidth - room.clientWidth))`

/** What is open fits into the window, cuts no column off on a phone, and axe finds nothing in it. On a phone only the rules of axe that depend on the look: a desktop comes first. */
export async function assertSound(visitor: Visitor, name: string, look: Look): Promise<void> {
  await visitor.assertFits(name)
  if (look === PHONE) assert.deepEqual(await visitor.page.evaluate(FIND_CUT_TABLES), [], `${name} cuts columns off`)
  await visitor.assertAccessible(look === PHONE ? 'look' : 'all')
}
