import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'
import { FLAGS, findChromium } from '../browser/chromium.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'
import { startApi, startIndexer, startNode } from './stack.ts'

/** Runs in the page: keeps the heights that come over a WebSocket and over an event stream. */
const LISTEN = `
  window.heights = { socket: [], events: [] }
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/v1/ws')
  socket.onmessage = ({ data }) => window.heights.socket.push(JSON.parse(data).body.height)
  const events = new EventSource('/v1/sse?channel=blocks')
  events.addEventListener('blocks', ({ data }) => window.heights.events.push(JSON.parse(data).body.height))
  Promise.all([
    new Promise((resolve) => { events.onopen = resolve }),
    new Promise((resolve) => { socket.onopen = () => { socket.send('{"method":"subscribe","body":{"channel":"blocks"}}'); resolve() } }),
  ])`

const executable = findChromium()
if (executable)
  longTest('a browser sees every block over a WebSocket, and over an event stream also those during a restart', async () => {
    const url = await freshDatabase()
    const node = await startNode({ recording: 'test-1', startHeight: 50 })
    const indexer = startIndexer(url, [node])
    await indexer.reached(50)
    const api = await startApi(url)
    const browser = await chromium.launch({ executablePath: executable, args: FLAGS })
    closeAfterwards(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`${api.url}/v1/head`)
    await page.evaluate(LISTEN)
    // A subscription is not acknowledged unless asked: the server's count tells.
    for (let height = 51; height <= 55; height++) {
      await node.advance()
      await page.waitForFunction(`window.heights.events.at(-1) === ${height}`)
    }
    const seen = (await page.evaluate('window.heights')) as { socket: number[]; events: number[] }
    assert.deepEqual(seen.events, [51, 52, 53, 54, 55])
    assert.deepEqual(seen.socket, seen.events.slice(-seen.socket.length))
    assert.ok(seen.socket.length > 0)

    await api.stop()
    await node.advance(3)
    await indexer.reached(58)
    await startApi(url, { port: Number(new URL(api.url).port) })
    await node.advance(2)
    await page.waitForFunction('window.heights.events.at(-1) === 60')
    assert.deepEqual(await page.evaluate('window.heights.events'), [51, 52, 53, 54, 55, 56, 57, 58, 59, 60])
    await browser.close()
    await indexer.stop()
  })
