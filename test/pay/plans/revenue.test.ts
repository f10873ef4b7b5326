import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buildOperatorApi } from '../../../src/operator/server.ts'
import { payerKey } from '../../../src/pay/local-chain/accounts.ts'
import { refund } from '../../../src/pay/settle/refund.ts'
import { KeyRing } from '../../../src/store/access/key-ring.ts'
import { createKey } from '../../../src/store/access/keys.ts'
import { openReader } from '../../../src/store/db.ts'
import { findRefundable } from '../../../src/store/pay/refunds.ts'
import { openManager, SECRETS } from '../../access/guarded-api.ts'
import { runCli } from '../../support/program.ts'
import { SCHEMA } from '../../support/templates.ts'
import { mppClient } from '../clients.ts'
import { openPlanShop, type PlanShop } from './plan-shop.ts'

let shop: PlanShop
before(async () => {
  shop = await openPlanShop()
})
after(() => shop.stop())

/** Figures of the operator's API, read with a key of an admin. */
async function readRevenue(query: string): Promise<Record<string, unknown>> {
  const { sql, databaseUrl } = shop
  const { text } = await createKey(sql, SECRETS, { role: 'admin', plan: 'free', label: 'admin' })
  const ring = new KeyRing(sql, SECRETS)
  await ring.refresh()
  const db = openReader({ url: databaseUrl, schema: SCHEMA, max: 1 })
  const networks = [{ name: 'main', url: databaseUrl, schema: SCHEMA, db }]
  const app = buildOperatorApi({ networks, ring, accounts: openManager(sql), sql, onError: (error) => console.error(error) })
  const answer = await app.inject({ url: `/v1/auth/revenue?${query}`, headers: { authorization: `Bearer ${text}` } })
  await app.close()
  await db.end()
  assert.equal(answer.statusCode, 200, answer.payload)
  return answer.json<Record<string, unknown>>()
}

test('keys bought by the command are revenue of their plans, apart from answers', async () => {
  const { server } = shop
  for (const [plan, protocol, price] of [
    ['developer', 'mpp', '49.000000'],
    ['business', 'x402', '199.000000'],
  ] as const) {
    const line = ['pay-demo', '--plan', plan, '--protocol', protocol, '--url', server.url]
    const { code, out, text } = await runCli(line).ended
    assert.equal(code, 0, text)
    assert.match(out, new RegExp(`^request +POST ${server.url}/v1/plans/${plan}/keys$`, 'm'))
    assert.match(out, new RegExp(`^price +${price} USD by ${protocol} on eip155:`, 'm'))
    assert.match(out, new RegExp(`^answer +\\{"key":"astro_live_\\w+",.*"plan":"${plan}"`, 'm'))
  }
  await mppClient(server.settings).fetch(shop.url('developer'), { method: 'POST' })
  await mppClient(server.settings).fetch(`${server.url}/v1/head`)
  const { from: _from, to: _to, ...figures } = await readRevenue('days=2&by=rail')
  assert.deepEqual(figures, {
    by: 'rail',
    usd: '297.001000',
    refunded: { payments: 0, usd: '0.000000' },
    rows: [
      { name: 'x402', payments: 1, usd: '199.000000' },
      { name: 'mpp', payments: 3, usd: '98.001000' },
    ],
    plans: [
      { name: 'business', payments: 1, usd: '199.000000' },
      { name: 'developer', payments: 2, usd: '98.000000' },
    ],
  })

  const { sql } = shop
  const [sold] = await sql<{ tx_hash: string }[]>`select tx_hash from payment where amount = 199000000`
  await sql`update payment set lease_until = now()`
  const payment = await findRefundable(sql, sold!.tx_hash)
  const { isSettled } = await refund({ db: sql, evm: server.settings.evm!, walletKey: payerKey(4), pollMs: 20 }, payment!)
  assert.ok(isSettled)
  assert.deepEqual((await readRevenue('days=2')).refunded, { payments: 1, usd: '199.000000' })
})
