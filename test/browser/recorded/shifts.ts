import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVisitor, PHONE } from '../visitor.ts'
import { findPlaces } from './place-list.ts'
import { testRecorded } from './site.ts'

const LOOKS = [{ width: 1400, height: 1000, theme: 'light' } as const, PHONE]

/** Layout shift that a visitor does not notice: half of what counts as good. */
const MOST = 0.05

/** Loads the places of these names, all there are without any, each in a new document. */
export const testShifts = (names?: readonly string[]): void =>
  testRecorded('layout shift', (executable, recorded) => {
    test(`${names === undefined ? 'no page moves' : `${names.length} pages do not move`} while the answers come in`, async () => {
      const places = await findPlaces(recorded.client)
      const moved: string[] = []
      for (const look of LOOKS) {
        const visitor = await openVisitor(executable, look)
        for (const { name, address } of places.filter(({ name }) => names?.includes(name) ?? true)) {
          const { score, causes } = await visitor.measureShift(`${recorded.url}${address}`)
          if (score >= MOST) moved.push(`${name} at ${look.width}: ${score.toFixed(3)}, by ${causes.join(' | ')}`)
        }
        await visitor.leave()
      }
      if (moved.length > 0) assert.fail(moved.join('\n'))
    })
  })
