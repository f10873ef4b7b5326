import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IndexerObserver } from '../../../src/observability/indexer-observer.ts'
import { createMetrics } from '../../../src/observability/metrics.ts'
import { buildOperatorApi } from '../../../src/operator/server.ts'
import { registerOperatorPage } from '../../../src/page/page.ts'
import { KeyRing } from '../../../src/store/access/key-ring.ts'
import { createKey } from '../../../src/store/access/keys.ts'
import { openPool, openReader } from '../../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../../src/store/migrations/migrate.ts'
import { openManager, SECRETS } from '../../access/guarded-api.ts'
import { SCHEMA } from '../../support/templates.ts'
import { DESKTOP, openVisitor, PHONE } from '../visitor.ts'
import { testRecorded } from './site.ts'

testRecorded("the operator's view", (executable, recorded) => {
  test('it asks for a key, refuses a wrong one, and shows index, nodes, rollbacks, audit and sources', async () => {
    const url = recorded.databaseUrl
    const sql = openPool('access', { url, schema: SHARED_SCHEMA })
    const db = openReader({ url, schema: SCHEMA, max: 2 })
    const { text: key } = await createKey(sql, SECRETS, { role: 'operator', plan: 'free', label: 'of the browser' })
    const restrictions = { networks: ['main'] }
    const customer = await createKey(sql, SECRETS, { role: 'client', plan: 'free', label: 'a customer', restrictions })
    const ring = new KeyRing(sql, SECRETS)
    await ring.refresh()
    const observer = new IndexerObserver(createMetrics({ version: '0', commit: 'none' }), 'main', () => 0)
    observer.rolledBack(390, 388)
    const indexer = () => observer.facts([{ label: 'node-of-the-test', quarantined: 'it lied', failures: 2 }])
    const onError = (error: unknown) => console.error(error)
    const app = buildOperatorApi({
      networks: [{ name: 'main', url, schema: SCHEMA, db, indexer }],
      ring,
      accounts: openManager(sql),
      sql,
      onError,
    })
    registerOperatorPage(app)
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const visitor = await openVisitor(executable)
    const { page } = visitor
    const enter = async (text: string) => {
      await page.getByLabel('Key of role operator or admin').fill(text)
      await page.getByRole('button', { name: 'Show the state' }).click()
    }
    try {
      await visitor.visit(address)
      await visitor.assertAccessible()
      await enter('no such key')
      await page.getByRole('alert').getByText('The key was refused').waitFor()
      visitor.complaints.length = 0
      await enter(key)
      const shown = (name: string) => page.getByRole('region', { name, exact: true })
      await shown('Index')
        .getByText((await recorded.client.getHead())!.chain_id)
        .waitFor()
      assert.match(await shown('Index').innerText(), /Rollbacks\s+1 since the process started, the last from 390 to 388/)
      assert.match(await shown('Nodes').innerText(), /node-of-the-test[\s\S]*it lied/)
      await shown('Audit').waitFor()
      await shown('Off-chain sources').waitFor()
      await shown('Accounts').getByText(customer.account).waitFor()
      await page.getByRole('button', { name: `1 keys of ${customer.account}` }).click()
      await shown(`Keys of ${customer.account}`).getByText('networks: main').waitFor()
      await shown('Log of changes').getByText('create key').first().waitFor()
      assert.match(await shown('Log of changes').innerText(), new RegExp(customer.id))
      assert.equal(await shown('Revenue').count(), 0, 'revenue is for admins')
      for (const look of [DESKTOP, PHONE, { ...PHONE, width: 320 }]) {
        await visitor.become(look)
        await visitor.settled()
        await visitor.assertFits(`the operator's view at ${look.width} pixels`)
        await visitor.screenshotNow(`operator-${look.width}`)
        await visitor.assertAccessible()
      }
      visitor.assertNoComplaints()
    } finally {
      await visitor.leave()
      await app.close()
      await db.end()
      await sql.end()
    }
  })
})
