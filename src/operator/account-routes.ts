import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { KeyName, Rotation } from '../access/account-schema.ts'
import type { AccountManager } from '../access/accounts.ts'
import { toKey } from '../access/key-view.ts'
import { Restrictions } from '../access/restrictions.ts'
import { compileQuery } from '../api/http/bind.ts'
import { BadRequest } from '../api/http/errors.ts'
import { createBodyReader, queryOf } from '../api/http/read-request.ts'
import type { MadeKey } from '../store/access/keys.ts'
import { type AddRoute, actorOf } from './route.ts'

const key = {
  name: KeyName,
  test_networks: Type.Optional(Type.Boolean()),
  expires_at: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d(T[0-9:.]+Z)?$', description: 'as 2027-01-31' })),
  restrictions: Type.Optional(Restrictions),
}
const PlanName = Type.String({ minLength: 1, maxLength: 31 })
const closed = { additionalProperties: false }

const readAccount = createBodyReader(Type.Object({ ...key, plan: PlanName }, closed))
const readKey = createBodyReader(Type.Object(key, closed))
const readChange = createBodyReader(Type.Object({ plan: PlanName }, closed))
const readRotation = createBodyReader(Rotation)

const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 50 })
const Account = Type.String({ minLength: 1, maxLength: 40 })
const readPage = compileQuery(Type.Object({ limit: Limit, cursor: Type.Optional(Account) }))
const readLogPage = compileQuery(
  Type.Object({ limit: Limit, cursor: Type.Optional(Type.Integer({ minimum: 1 })), account: Type.Optional(Account) }),
)

/** Accounts of callers and their keys. Operators see them, admins change them; keys with a role are left to the command. */
export function addAccountRoutes(route: AddRoute, manager: AccountManager): void {
  const show = async ({ account, id, text }: MadeKey) => ({ account, ...toKey(await manager.ownKey(account, id)), text })

  route('GET', '/accounts', false, async ({ request }) =>
    manager.accounts(readPage(queryOf(request)).values as Parameters<AccountManager['accounts']>[0]),
  )

  route('POST', '/accounts', true, async ({ request, key: by }) => {
    const { plan, ...given } = readAccount(request.body)
    return show(await manager.createKey({ ...toWish(given), plan }, actorOf(by)))
  })

  route('GET', '/accounts/:account', false, async ({ request }) => readAccountDetails(manager, paramsOf(request).account))

  route('PATCH', '/accounts/:account', true, async ({ request, key: by }) => {
    const { account } = paramsOf(request)
    await manager.account(account)
    await manager.changePlan(account, readChange(request.body).plan, actorOf(by))
    return manager.account(account)
  })

  route('GET', '/accounts/:account/usage', false, async ({ request }) => {
    const { account } = await manager.account(paramsOf(request).account)
    return manager.usage(account)
  })

  route('POST', '/accounts/:account/keys', true, async ({ request, key: by }) => {
    const { account, plan } = await manager.account(paramsOf(request).account)
    return show(await manager.createKey({ ...toWish(readKey(request.body)), plan, account }, actorOf(by)))
  })

  route('DELETE', '/keys/:id', true, async ({ request, key: by }) => {
    const { id } = paramsOf(request)
    await manager.checkClientKey(id)
    await manager.revokeKey(id, actorOf(by))
    return { message: 'success' }
  })

  route('POST', '/keys/:id/rotate', true, async ({ request, key: by }) => {
    const { id } = paramsOf(request)
    const { grace_hours: graceHours } = readRotation(request.body ?? {})
    await manager.checkClientKey(id)
    const made = await manager.rotateKey(id, actorOf(by), graceHours)
    return { ...(await show(made)), old_key_until: made.oldExpiresAt.toISOString() }
  })

  route('GET', '/log', false, async ({ request }) =>
    manager.changes(readLogPage(queryOf(request)).values as Parameters<AccountManager['changes']>[0]),
  )
}

const ID = /^\w{1,40}$/

function paramsOf({ params }: FastifyRequest): { account: string; id: string } {
  for (const [name, text] of Object.entries(params as Record<string, string>))
    if (!ID.test(text)) throw new BadRequest(`${name} is up to 40 letters, digits and underscores`, name)
  return params as { account: string; id: string }
}

type Given = ReturnType<typeof readKey>

const toWish = ({ name, test_networks: testNetworks, expires_at: expiresAt, restrictions }: Given) => ({
  name,
  testNetworks,
  expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
  restrictions,
})

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
