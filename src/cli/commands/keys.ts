import type { Command } from 'commander'
import type { AccountManager } from '../../access/accounts.ts'
import { Restrictions } from '../../access/restrictions.ts'
import { BadRequest } from '../../api/http/errors.ts'
import { createBodyReader } from '../../api/http/read-request.ts'
import { OperatorError } from '../../lib/errors.ts'
import { localUser } from '../../store/access/change-log.ts'
import type { KeyRestrictions, KeyRole, ListedKey, MadeKey } from '../../store/access/keys.ts'
import { formatTable } from '../terminal/table.ts'
import { openDatabase } from '../wiring/database.ts'
import { openKeys } from '../wiring/key-table.ts'
import { type CommonOptions, configOf, readCount, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'

const ROLES: readonly string[] = ['client', 'operator', 'admin'] satisfies KeyRole[]

export function registerKeysCommand(program: Command): void {
  const keys = program
    .command('keys')
    .description('accounts and their API keys: create, list, rotate, revoke, change the plan, show the log of changes')

  withCommonOptions(keys.command('create').description('create a key and show it once'))
    .option('--plan <name>', 'plan of the configuration', 'free')
    .requiredOption('--label <text>', 'who the key is for')
    .option('--role <role>', "client (key surface), operator or admin (operator's API)", 'client')
    .option('--account <id>', 'create another key for this account')
    .option('--test-networks', 'allow the test networks, whatever the plan says')
    .option('--expires <date>', 'when the key expires, as 2027-01-31 or 2027-01-31T12:00:00Z')
    .option('--restrict <json>', 'origins, addresses, networks and operations as JSON, as in POST /v1/keys')
    .action((options: CreateOptions) => withKeys(options, (manager) => create(manager, options)))

  withCommonOptions(keys.command('list').description('list all keys, without their secrets'))
    .option('--json', 'print JSON')
    .action((options: CommonOptions & { json?: boolean }) => withKeys(options, (manager) => list(manager, options.json === true)))

  withCommonOptions(
    keys
      .command('rotate')
      .argument('<id>', 'id of the key')
      .description('create a new key for the same account and let the old one expire'),
  )
    .option('--grace <hours>', 'grace period of the old key (default: rotation_grace_hours)')
    .action((id: string, options: CommonOptions & { grace?: string }) =>
      withKeys(options, (manager) => rotate(manager, id, options.grace)),
    )

  withCommonOptions(
    keys
      .command('revoke')
      .argument('<id>', 'id of the key')
      .description('revoke a key; it stops working everywhere within seconds'),
  ).action((id: string, options: CommonOptions) =>
    withKeys(options, async (manager) => {
      await manager.revokeKey(id, localUser())
      process.stdout.write(`key ${id} is revoked; every server refuses it within 5 seconds\n`)
    }),
  )

  withCommonOptions(
    keys.command('usage').argument('<account>', 'account of the key').description('show the requests of an account per day'),
  ).action((account: string, options: CommonOptions) =>
    withKeys(options, async (manager) => {
      const days = await manager.usage(account)
      process.stdout.write(days.length > 0 ? formatTable(days) : `no requests of ${account} in the last 31 days\n`)
    }),
  )

  withCommonOptions(
    keys
      .command('plan')
      .argument('<account>', 'account of the keys')
      .argument('<plan>', 'plan of the configuration')
      .description('change the plan of an account and all its active keys'),
  ).action((account: string, plan: string, options: CommonOptions) =>
    withKeys(options, async (manager) => {
      await manager.changePlan(account, plan, localUser())
      process.stdout.write(`account ${account} has plan ${plan}; every server knows within 5 seconds\n`)
    }),
  )

  withCommonOptions(keys.command('log').description('show who changed accounts, keys and rollups, newest first'))
    .option('--account <id>', 'changes of this account only')
    .option('--limit <number>', 'at most so many', readCount, 100)
    .option('--json', 'print JSON')
    .action((options: LogOptions) => withKeys(options, (manager) => showLog(manager, options)))
}

function withKeys(options: CommonOptions, work: (manager: AccountManager) => Promise<void>): Promise<never> {
  const config = configOf(options)
  return runCommand(config.log_level, async () => {
    const database = await openDatabase(config)
    try {
      const { sql, accounts } = await openKeys(config, database.url, 1)
      try {
        await work(accounts)
      } finally {
        await sql.end()
      }
    } finally {
      await database.stop()
    }
  })
}

type CreateOptions = CommonOptions & {
  plan: string
  label: string
  role: string
  account?: string
  testNetworks?: boolean
  expires?: string
  restrict?: string
}

type LogOptions = CommonOptions & { account?: string; limit: number; json?: boolean }

async function create(manager: AccountManager, options: CreateOptions): Promise<void> {
  const { label: name, plan, role, account, testNetworks, expires, restrict } = options
  if (!ROLES.includes(role)) throw new OperatorError('unknown_role', `a role is one of ${ROLES.join(', ')}`)
  const expiresAt = expires === undefined ? undefined : new Date(expires)
  const restrictions = restrict === undefined ? undefined : readJson(restrict)
  try {
    const wish = { name, plan, role: role as KeyRole, account, testNetworks, expiresAt, restrictions }
    show(await manager.createKey(wish, localUser()))
  } catch (error) {
    throw error instanceof BadRequest ? new OperatorError(error.code, error.message) : error
  }
}

const readRestrictions = createBodyReader(Restrictions)

function readJson(text: string): KeyRestrictions {
  try {
    return readRestrictions(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof BadRequest ? error.message : 'that is not JSON'
    throw new OperatorError('bad_option', `--restrict takes JSON such as {"networks":["main"]}: ${reason}`)
  }
}

async function rotate(manager: AccountManager, id: string, grace: string | undefined): Promise<void> {
  const hours = grace === undefined ? undefined : Number(grace)
  if (hours !== undefined && !(hours >= 0)) throw new OperatorError('bad_grace', '--grace takes a number of hours')
  const made = await manager.rotateKey(id, localUser(), hours)
  show(made)
  process.stderr.write(`key ${id} works until ${made.oldExpiresAt.toISOString()}\n`)
}

/** The key alone goes to standard output, so that a script can take it. */
function show({ id, account, text, expiresAt }: MadeKey): void {
  process.stdout.write(`${text}\n`)
  const end = expiresAt === undefined ? '' : `, works until ${expiresAt.toISOString()}`
  process.stderr.write(`id ${id}, account ${account}${end}: keep the key now, it is not shown again\n`)
}

async function list(manager: AccountManager, asJson: boolean): Promise<void> {
  const rows = (await manager.keys()).map((key) => ({
    id: key.id,
    account: key.account,
    role: key.role,
    plan: key.plan,
    label: key.label,
    key: `${key.prefix}…${key.last4}`,
    state: stateOf(key),
    created: key.created_at.slice(0, 10),
    'last used': key.last_used ?? 'never',
  }))
  if (asJson) process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`)
  else
    process.stdout.write(
      rows.length > 0 ? formatTable(rows) : 'there are no keys yet: `astrolabe keys create --label NAME` makes one\n',
    )
}

function stateOf({ revoked_at: revoked, expires_at: expires }: ListedKey): string {
  if (revoked !== null) return 'revoked'
  if (expires === null) return 'active'
  return Date.parse(expires) > Date.now() ? `until ${expires.slice(0, 16)}Z` : 'expired'
}

async function showLog(manager: AccountManager, { account, limit, json }: LogOptions): Promise<void> {
  const changes = await manager.changes({ account, limit })
  if (json) return void process.stdout.write(`${JSON.stringify(changes, null, 1)}\n`)
  const rows = changes.map(({ at, actor_kind, actor, action, account: of, key_id, details }) => ({
    at: `${at.slice(0, 19)}Z`,
    by: `${actor_kind} ${actor}`,
    action,
    account: of ?? '',
    key: key_id ?? '',
    details: JSON.stringify(details),
  }))
  process.stdout.write(rows.length > 0 ? formatTable(rows) : 'nothing was changed yet\n')
}
