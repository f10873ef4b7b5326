/**
 * `node build/test/faults/live-stories.js SEED COUNT`: seeded lives of a chain with forks, failing nodes, cut connections and restarts
 * (test/live/story.ts), one after the other on a PostgreSQL of its own. Ends with 1 at the first bad seed and says which it was.
 */
import { withServer } from '../support/server.ts'

const [first, count] = [Number(process.argv[2] ?? Date.now() % 1e9), Number(process.argv[3] ?? 20)]

const code = await withServer({ templates: true }, async (url) => {
  process.env.ASTROLABE_TEST_POSTGRES = url
  const { liveThrough } = await import('../live/story.ts')
  for (let seed = first; seed < first + count; seed++) {
    const startedAt = performance.now()
    try {
      const story = await liveThrough(seed)
      console.log(`seed ${seed} ok, ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${story.join(', ')}`)
    } catch (error) {
      console.log(`seed ${seed} FAILED`, error)
      return 1
    }
  }
  return 0
})
process.exit(code)
