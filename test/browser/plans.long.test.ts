import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../src/client/client.ts'
import { LOCAL_CHAIN_ID, payerKey } from '../../src/pay/local-chain/accounts.ts'
import { SECRETS } from '../access/secrets.ts'
import { waitUntil } from '../live/stack.ts'
import { makeBed } from '../pay/bed.ts'
import { CONFIGS, PLANS } from '../pay/plans/plans.ts'
import { freshDatabase } from '../support/database.ts'
import { findChromium } from './chromium.ts'
import { serveSite } from './site.ts'
import { DESKTOP, openVisitor, PHONE } from './visitor.ts'

/** A wallet (EIP-1193) that agrees to everything; its key stays outside of the browser. */
const wallet = (address: string) => `globalThis.ethereum = {
  request: async ({ method, params }) => {
    if (method === 'eth_requestAccounts') return [${JSON.stringify(address)}]
    if (method === 'eth_chainId') return '0x1'
    if (method === 'wallet_switchEthereumChain') return globalThis.chosenChain = Number(params[0].chainId)
    if (method === 'eth_signTypedData_v4') return signTyped(params[1])
    throw new Error(method)
  }
}`

type Typed = Parameters<ReturnType<typeof privateKeyToAccount>['signTypedData']>[0]

const executable = findChromium()
const stops: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of stops.reverse()) await stop()
})

if (executable)
  test('a visitor lists the plans, buys a key with the wallet of the browser, uses it and renews it', async () => {
    const [bed, databaseUrl] = await Promise.all([makeBed(), freshDatabase('devnet')])
    stops.push(bed.stop)
    const shop = await bed.serve({ databaseUrl, plans: { configs: CONFIGS, secrets: SECRETS } })
    const network = { name: 'main', kind: 'main', recording: 'devnet', databaseUrl } as const
    const site = await serveSite([network], { plans: PLANS, shopUrl: shop.url })
    stops.push(site.close)
    const visitor = await openVisitor(executable)
    const { page } = visitor
    const account = privateKeyToAccount(payerKey(0))
    await page.exposeFunction('signTyped', (text: string) => account.signTypedData(JSON.parse(text) as Typed))
    const said = (words: RegExp) => page.getByRole('status').filter({ hasText: words }).innerText()
    const press = () => page.getByRole('button', { name: 'Buy developer for 49 USD for 30 days' }).click()
    const before = await bed.revenue()

    await visitor.visit(`${site.urls[0]}plans`)
    await page.getByText('199 USD for 30 days').first().waitFor()
    for (const look of [DESKTOP, PHONE]) {
      await visitor.become(look)
      await visitor.assertFits(`plans at ${look.width} pixels`)
      await visitor.assertAccessible()
    }
    await press()
    assert.match(await said(/Failed/), /No wallet was found/)
    visitor.assertNoComplaints()

    await page.evaluate(wallet(account.address))
    await press()
    const text = await said(/Your key, shown once/)
    assert.match(text, /plan developer of account acc_/)
    const key = /astro_live_\w+/.exec(text)![0]
    assert.equal(await page.evaluate('globalThis.chosenChain'), LOCAL_CHAIN_ID)
    assert.equal((await bed.revenue()) - before, 49_000_000n)
    const client = createClient({ baseUrl: site.urls[0]!.replace(/\/$/, ''), apiKey: key })
    await waitUntil(() =>
      client.getUsage().then(
        ({ plan }) => plan === 'developer',
        () => false,
      ),
    )

    await page.getByLabel('Key to renew').fill(key)
    await press()
    assert.match(await said(/Renewed/), /plan developer/)
    assert.equal((await bed.revenue()) - before, 98_000_000n)
    // A demand for payment is how the protocol begins.
    assert.deepEqual(
      visitor.complaints.filter((complaint) => !/402/.test(complaint)),
      [],
    )
    await visitor.leave()
  })
