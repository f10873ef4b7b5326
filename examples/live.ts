// Follows the head over the WebSocket until a few blocks have come. Lost connections are reopened automatically.
//   node build/examples/live.js [blocks]
import { WebSocket } from 'ws'
import { openLive } from '../src/client/live.ts'

const { ASTROLABE_URL = 'http://127.0.0.1:9876' } = process.env
let wanted = Number(process.argv[2] ?? 3)

const live = openLive({
  url: `${ASTROLABE_URL.replace(/^http/, 'ws')}/v1/ws`,
  channels: ['head', 'blocks', 'gas_price'],
  // Browsers, Deno, Bun and Node from 22 on have one of their own.
  WebSocket: WebSocket as never,
  onState: (state) => console.log(state),
  onNotice: (notice) => {
    if (notice.channel === 'error') console.log('refused:', notice.body.message)
    if (notice.channel === 'gas_price') console.log('gas price', notice.body.median)
    if (notice.channel !== 'blocks') return
    console.log(`block ${notice.body.height} with ${notice.body.stats?.tx_count} txs`)
    if (--wanted === 0) live.close()
  },
})
