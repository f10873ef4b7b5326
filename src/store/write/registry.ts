import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { decodeAccount } from '../../lib/bech32.ts'
import { fromBase64 } from '../../lib/bytes.ts'
import { OperatorError } from '../../lib/errors.ts'

/** A registry entry as the operator's file and API give it. */
export type RollupEntry = {
  name: string
  description?: string
  website?: string
  github?: string
  twitter?: string
  logo?: string
  l2_beat?: string
  defi_lama?: string
  bridge?: string
  explorer?: string
  stack?: string
  compression?: string
  provider?: string
  vm?: string
  settled_on?: string
  color?: string
  type?: string
  category?: string
  tags?: string[]
  links?: string[]
  verified?: boolean
  providers: { address?: string; namespace?: string }[]
}

const TEXT_FIELDS = [
  'description',
  'website',
  'github',
  'twitter',
  'logo',
  'l2_beat',
  'defi_lama',
  'bridge',
  'explorer',
  'stack',
  'compression',
  'provider',
  'vm',
  'settled_on',
  'color',
] as const

export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Reads a registry file in order: ids follow the file. Entries whose slug is known already are left alone. */
export async function loadRollups(url: string, schema: string, file: string): Promise<number> {
  const entries = JSON.parse(await readFile(file, 'utf8')) as RollupEntry[]
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`set local search_path to "${schema}"`)
    let added = 0
    for (const entry of entries) if (await insertRollup(client, entry)) added++
    if (added > 0) await client.query('update head set registry_version = registry_version + 1')
    await client.query('commit')
    return added
  } finally {
    await client.end()
  }
}

async function insertRollup(client: pg.Client, entry: RollupEntry): Promise<boolean> {
  const slug = slugOf(entry.name)
  const { rows } = await client.query<{ id: number }>(
    `insert into rollup (id, name, slug, type, category, tags, links, verified, ${TEXT_FIELDS.join(', ')})
     values ((select coalesce(max(id), 0) + 1 from rollup), $1, $2, $3, $4, $5, $6, $7, ${TEXT_FIELDS.map((_, i) => `$${i + 8}`).join(', ')})
     on conflict (slug) do nothing returning id`,
    [
      entry.name,
      slug,
      entry.type ?? 'other',
      entry.category ?? 'uncategorized',
      entry.tags ?? [],
      entry.links ?? [],
      entry.verified ?? false,
      ...TEXT_FIELDS.map((field) => entry[field] ?? ''),
    ],
  )
  const id = rows[0]?.id
  if (id === undefined) return false
  for (const [position, { address, namespace }] of entry.providers.entries()) {
    const account = address === undefined ? undefined : decodeAccount(address)
    if (address !== undefined && account === undefined)
      throw new OperatorError('bad_provider', `${entry.name}: ${address} is not an address`)
    await client.query('insert into rollup_provider (rollup_id, position, address, namespace) values ($1, $2, $3, $4)', [
      id,
      position,
      account === undefined ? null : Buffer.from(account, 'hex'),
      namespace === undefined ? null : namespaceBytes(entry.name, namespace),
    ])
  }
  return true
}

function namespaceBytes(rollup: string, text: string): Buffer {
  const bytes = fromBase64(text)
  if (bytes?.length !== 29) throw new OperatorError('bad_provider', `${rollup}: ${text} is not a namespace (base64 of 29 bytes)`)
  return Buffer.from(bytes)
}
