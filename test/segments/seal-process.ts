/** A sealer in its own process that tells every step, so that it can be killed between any two. Started by `fork`. */
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { openFolder } from '../../src/lib/object-store/folder.ts'
import type { ObjectStore } from '../../src/lib/object-store/object-store.ts'
import { runSealer } from '../../src/store/segments/run-sealer.ts'
import { SCHEMA } from '../support/templates.ts'

const [url, folder, heights] = process.argv.slice(2) as [string, string, string]
const tell = (step: string) => process.send?.(step)
const store = openFolder(folder)
let isLocked = false
const told: ObjectStore = {
  ...store,
  list(prefix) {
    isLocked = true
    return store.list(prefix)
  },
  async put(key, bytes) {
    tell('object')
    await store.put(key, bytes)
    tell('rows')
  },
}

/** The process sleeps with the lock when nothing is left to move, and without it until the server notices the end of the previous one. */
const clock: Clock = {
  now: () => performance.now(),
  sleep: async () => {
    if (isLocked) process.exit(0)
    await systemClock.sleep(20)
  },
}

await runSealer(
  {
    url,
    schema: SCHEMA,
    store: told,
    prefix: 'main',
    heights: Number(heights),
    clock,
    onSealed: () => tell('sealed'),
    onError: (error) => {
      console.error(error)
      process.exit(1)
    },
  },
  new AbortController().signal,
)
