import { test } from 'node:test'
import { SEED } from './stack.ts'
import { liveThrough } from './story.ts'

/** More of them: `node build/test/faults/live-stories.js SEED COUNT`. */
for (const seed of [SEED, SEED + 1])
  test(`forks, failing nodes, cut connections and restarts end in the final chain, for tables and client (seed ${seed})`, async () => {
    await liveThrough(seed)
  })
