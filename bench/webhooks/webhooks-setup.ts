import { createKey } from '../../src/store/access/keys.ts'
import { openPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { insertWebhook } from '../../src/store/webhooks/subscriptions.ts'
import { makeSecret, SecretBox } from '../../src/webhooks/secret.ts'

export const PEPPER = 'a pepper that is only used in benches'

/** Subscriptions to every block, of ten accounts; the first `stuck` of them go to a path that never answers. */
export async function subscribeMany(url: string, target: string, settings: { count: number; stuck: number; height: number }) {
  const keys = openPool('access', { url, schema: SHARED_SCHEMA, max: 1 })
  const sql = openPool('webhooks', { url, schema: SHARED_SCHEMA })
  const box = new SecretBox(PEPPER)
  const accounts: string[] = []
  for (let i = 0; i < 10; i++) {
    const key = { role: 'client', plan: 'free', label: 'bench' } as const
    accounts.push((await createKey(keys, { environment: 'live', pepper: PEPPER }, key)).account)
  }
  for (let i = 0; i < settings.count; i++) {
    const id = `wh_bench_${i}`
    const webhook = {
      id,
      network: 'bench',
      account: accounts[i % accounts.length]!,
      url: `${target}/${i < settings.stuck ? 'hang' : i}`,
      description: '',
      events: ['block' as const],
      filters: {},
      secret: box.seal(makeSecret(), id),
      height: settings.height,
    }
    await insertWebhook(sql, webhook, Number.POSITIVE_INFINITY)
  }
  await Promise.all([keys.end(), sql.end()])
}
