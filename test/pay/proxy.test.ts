import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { freePort } from '../../src/lib/free-port.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { CATALOG } from '../../src/operations/catalog.ts'
import { payerKey } from '../../src/pay/local-chain/accounts.ts'
import { FLAGS, findChromium } from '../browser/chromium.ts'
import { type Bed, makeBed, type Server } from './bed.ts'
import { mppClient, receiptOf, x402Fetch } from './clients.ts'
import { findNginx, startNginx } from './nginx.ts'
import type { Bought, Order } from './shop/buy.ts'

/** Both official clients, in Node and in a browser on another origin, buy through the proxy of the production guide. */

const nginx = findNginx()
if (!nginx) console.log('tests through nginx are left out: it is not installed (Debian package nginx, or name it in NGINX_PATH)')
const needsNginx = { skip: nginx ? false : 'nginx is not installed' }
const browserPath = nginx && findChromium()

let bed: Bed
let server: Server
let origin: string

before(async () => {
  if (!nginx) return
  bed = await makeBed()
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  server = await bed.serve({ settings: { baseUrl: origin } })
  bed.onStop(await startNginx(nginx, port, new URL(server.url).host))
})
after(() => bed?.stop())

const LONG = `?limit=2&x=${'y'.repeat(2000)}`

test('offers of all operations pass the proxy, with any legal query', needsNginx, async () => {
  for (const { path } of CATALOG)
    for (const query of ['', LONG]) {
      const response = await fetch(origin + path.replace(/[{}]/g, '') + query)
      assert.equal(response.status, 402, `${path}${query}: ${await response.text()}`)
    }
})

test('both official clients buy through the proxy in Node', needsNginx, async () => {
  const before = await bed.revenue()
  for (const target of ['/v1/head', `/v1/block${LONG}`]) {
    for (const pay of [mppClient(server.settings).fetch, x402Fetch(server.settings)]) {
      const response = await pay(origin + target)
      assert.equal(response.status, 200, await response.clone().text())
      assert.ok(receiptOf(response).reference)
    }
  }
  assert.equal((await bed.revenue()) - before, 4000n)
})

test('both official clients buy through the proxy in Chromium, from the page of another origin', {
  skip: !browserPath && 'nginx and Chromium are needed',
}, async () => {
  const script = await bundle()
  const shop = createServer((request, response) => {
    const isScript = request.url === '/shop.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>shop</title><script type="module" src="/shop.js"></script>')
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: browserPath!, args: FLAGS })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`)
    await page.waitForFunction('typeof buy === "function"')
    const before = await bed.revenue()
    for (const rail of ['mpp', 'x402'] as const) {
      const { chainId, token, tokenName, tokenVersion, decimals } = server.settings.evm!
      const chain = { chainId, token, tokenName, tokenVersion, decimals }
      const order: Order = { rail, url: `${origin}/v1/head`, key: payerKey(0), chain }
      const bought = (await page.evaluate(`buy(${JSON.stringify(order)})`)) as Bought
      assert.equal(bought.status, 200, `${rail}: ${bought.body}`)
      assert.match(bought.body, /getHead/)
      assert.ok(bought.receipt, `${rail}: a page can read the receipt`)
    }
    assert.equal((await bed.revenue()) - before, 2000n)
  } finally {
    await browser.close()
    shop.close()
  }
})

/** The shop's script as a page loads it. */
async function bundle(): Promise<string> {
  // Loaded where it is needed: it takes longer to load than most tests take.
  const { build } = await import('vite')
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env': '{}' },
    build: {
      write: false,
      minify: false,
      lib: { entry: packagePath('test/pay/shop/buy.ts'), formats: ['es'], fileName: 'shop' },
      rollupOptions: { output: { codeSplitting: false } },
    },
  })
  const [result] = Array.isArray(built) ? built : [built]
  if (!result || !('output' in result)) throw new Error('nothing was built')
  return result.output[0].code
}
