import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { privateKeyToAccount } from 'viem/accounts'
import { type ApiError, createClient } from '../../src/client/client.ts'
import { LOCAL_CHAIN_ID, payerKey } from '../../src/pay/local-chain/accounts.ts'
import { refund } from '../../src/pay/settle/refund.ts'
import { openPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { findRefundable } from '../../src/store/pay/refunds.ts'
import { SECRETS } from '../access/secrets.ts'
import { waitUntil } from '../live/stack.ts'
import { makeBed } from '../pay/bed.ts'
import { moveIntoPast } from '../pay/plans/plan-shop.ts'
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
  test('a visitor buys a key with the wallet of the browser, uses it, sees it run out, renews and rotates it, and is refunded', async () => {
    const [bed, databaseUrl] = await Promise.all([makeBed(), freshDatabase('devnet')])
    stops.push(bed.stop)
    const sql = openPool('pay', { url: databaseUrl, schema: SHARED_SCHEMA, max: 2 })
    stops.push(() => sql.end())
    const shop = await bed.serve({ databaseUrl, plans: { configs: CONFIGS, secrets: SECRETS } })
    const network = { name: 'main', kind: 'main', recording: 'devnet', databaseUrl } as const
    const site = await serveSite([network], { plans: PLANS, shopUrl: shop.url })
    stops.push(site.close)
    const visitor = await openVisitor(executable)
    const { page } = visitor
    const account = privateKeyToAccount(payerKey(0))
    await page.exposeFunction('signTyped', (text: string) => account.signTypedData(JSON.parse(text) as Typed))
    const said = (words: RegExp) => page.getByRole('status').filter({ hasText: words }).innerText()
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const ownKey = page.getByRole('region', { name: 'Your key' })
    /** Asks for the state of a key until it is the expected one: servers learn of changes within seconds. */
    const show = async (key: string, words: RegExp) => {
      await page.getByLabel('API key').fill(key)
      await waitUntil(async () => {
        await press('Show')
        await visitor.settled()
        return words.test(await ownKey.innerText())
      })
    }
    const asKey = (apiKey: string) => createClient({ baseUrl: site.urls[0]!.replace(/\/$/, ''), apiKey })
    const becomesPlan = (key: string, plan: string | undefined) =>
      waitUntil(() =>
        asKey(key)
          .getUsage()
          .then(
            (usage) => usage.plan === plan,
            (error: ApiError) => plan === undefined && error.status === 401,
          ),
      )
    const before = await bed.revenue()
    const paid = async () => (await bed.revenue()) - before

    await visitor.visit(`${site.urls[0]}plans`)
    await page.getByText('199 USD for 30 days').first().waitFor()
    const fits = async (what: string) => {
      for (const look of [DESKTOP, PHONE]) {
        await visitor.become(look)
        await visitor.assertFits(`${what} at ${look.width} pixels`)
        await visitor.assertAccessible()
      }
    }
    await fits('plans')
    const BUY = 'Buy developer for 49 USD for 30 days'
    const RENEW = 'Renew with developer for 49 USD for 30 days'
    await press(BUY)
    assert.match(await said(/Failed/), /No wallet was found/)
    visitor.assertNoComplaints()

    await page.evaluate(wallet(account.address))
    await press(BUY)
    const text = await said(/Your key, shown once/)
    assert.match(text, /plan developer of account acc_/)
    const key = /astro_live_\w+/.exec(text)![0]
    assert.equal(await page.evaluate('globalThis.chosenChain'), LOCAL_CHAIN_ID)
    assert.equal(await paid(), 49_000_000n)
    await becomesPlan(key, 'developer')
    assert.equal((await asKey(key).getUsage()).requests_per_second, 50)

    await show(key, /active/)
    await press(RENEW)
    assert.match(await said(/Renewed/), /plan developer/)
    assert.equal(await paid(), 98_000_000n)

    await moveIntoPast(sql, 61)
    await show(key, /ended/)
    assert.match(await ownKey.innerText(), /the API key has expired: it was of plan developer/)
    await fits('a key that ended')
    await press(RENEW)
    await said(/Renewed/)
    assert.equal(await paid(), 147_000_000n)
    await becomesPlan(key, 'developer')

    await press('Rotate')
    const rotated = /astro_live_\w+/.exec(await said(/The new key, shown once/))![0]
    assert.notEqual(rotated, key)
    await becomesPlan(rotated, 'developer')
    await show(rotated, /active/)

    await sql`update payment set lease_until = now()`
    const [last] = await sql<{ tx_hash: string }[]>`select tx_hash from payment order by settled_at desc limit 1`
    const payment = await findRefundable(sql, last!.tx_hash)
    const { isSettled } = await refund({ db: sql, evm: shop.settings.evm!, walletKey: payerKey(4), pollMs: 20 }, payment!)
    assert.ok(isSettled)
    for (const gone of [key, rotated]) await becomesPlan(gone, undefined)
    await show(rotated, /the API key was revoked/)
    assert.equal(await page.getByRole('button', { name: RENEW }).count(), 0)
    // A demand for payment is how the protocol begins; a key that ended or was revoked is refused.
    assert.deepEqual(
      visitor.complaints.filter((complaint) => !/40[12]/.test(complaint)),
      [],
    )
    await visitor.leave()
  })
