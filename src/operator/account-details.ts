import type { AccountDesk } from '../access/accounts.ts'
import { toKey } from '../access/key-view.ts'

/** An account as operators see it. */
export async function readAccountDetails(desk: AccountDesk, account: string) {
  const [row, keys, days, webhooks] = await Promise.all([
    desk.account(account),
    desk.keys(account),
    desk.usage(account),
    desk.webhooks(account),
  ])
  return {
    ...row,
    keys: keys.map(toKey),
    days,
    webhooks: webhooks.map(({ id, network, url, state }) => ({ id, network, url, state })),
  }
}
