/** The key surface over an index, in its own process: `fork` it with the database, the bytes of its cache and the folder of segments, if any. */
import '../../src/runtime/name-runtime.ts'
import { HeadWatch } from '../../src/api/head-watch.ts'
import { buildApi } from '../../src/api/server.ts'
import { openFolder } from '../../src/lib/object-store/folder.ts'
import { collectSooner } from '../../src/runtime/engine-settings.ts'
import { openReader } from '../../src/store/db.ts'
import { SegmentReader } from '../../src/store/segments/segment-reader.ts'

const SEGMENT_CACHE_BYTES = 64 * 2 ** 20

collectSooner()
const [url, schema, cacheBytes, folder] = process.argv.slice(2) as [string, string, string, string?]
const segments = folder === undefined ? undefined : new SegmentReader(openFolder(folder), SEGMENT_CACHE_BYTES)
const db = openReader({ url, schema, max: 8, segments })
const watch = new HeadWatch(db, { schema, listenOn: db })
await watch.start()
const app = buildApi(
  {
    network: { name: 'bench', chainId: watch.head!.chain_id, kind: 'main' },
    db,
    watch,
    head: () => watch.head,
    blocks: { read: async () => undefined },
    now: () => Date.now(),
  },
  { cacheBytes: Number(cacheBytes) },
)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ address })
/** CPU between two looks of a timer, which is what a request that comes meanwhile waits for on its own machine. */
let heldMs: number[] = []
let isWatching = false
function watchLoop(): void {
  isWatching = true
  let before = process.cpuUsage()
  setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    heldMs.push((user + system) / 1000)
  }, 1)
}
/** The length within which this part of the time was held, not this part of the pieces: a request comes during long ones more often. */
function partOf(sorted: readonly number[], part: number): number {
  let left = sorted.reduce((sum, ms) => sum + ms, 0) * part
  return sorted.find((ms) => (left -= ms) <= 0) ?? 0
}
process.on('message', (what) => {
  // Looking every millisecond is a twentieth of the CPU under load: only those who ask for it pay.
  if (what === 'tell' && !isWatching) watchLoop()
  const held = heldMs.sort((a, b) => a - b)
  process.send?.({
    cpu: process.cpuUsage(),
    rss: process.memoryUsage.rss(),
    loop: { p95: partOf(held, 0.95), max: held.at(-1) ?? 0 },
  })
  heldMs = []
})
process.on('disconnect', () => process.exit(0))
