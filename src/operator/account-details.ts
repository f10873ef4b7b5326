import type { AccountManager } from '../access/accounts.ts'
import { toKey } from '../access/key-view.ts'

/** An account as operators see it. */
export async function readAccountDetails(manager: AccountManager, account: string) {
  const [row, keys, days, webhooks] = await Promise.all([
    manager.account(account),
    manager.keys(account),
    manager.usage(account),
    manager.webhooks(account),
  ])
  return {
    ...row,
    keys: keys.map(toKey),
    days,
    webhooks: webhooks.map(({ id, network, url, state }) => ({ id, network, url, state })),
  }
}
