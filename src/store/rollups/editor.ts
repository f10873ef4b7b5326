import type pg from 'pg'
import { announceRegistry, readVerified } from '../families/rollups.ts'
import {
  BadEntry,
  LIST_FIELDS,
  type ProviderBytes,
  parseProviders,
  type RollupEntry,
  type RollupFields,
  slugOf,
  TEXT_FIELDS,
} from './entry.ts'
import { unlinkBlobs } from './links.ts'
import { type RollupRows, rewriteUndo } from './undo.ts'

const DEFAULTS: Partial<Record<(typeof TEXT_FIELDS)[number], string>> = { type: 'other', category: 'uncategorized' }

export type RegistryState = { id: number; name: string; verified: boolean }

/**
 * The rollup registry within one transaction. Links to blobs, counters and buckets go at once when a rollup is not verified any more; a
 * rollup that becomes verified waits for its links (`fillRollups`) and is verified when it has them.
 */
export class RegistryEditor {
  readonly #client: pg.ClientBase
  /** rollups whose links went; nothing was counted for them */
  readonly #unlinked = new Map<number, RollupRows>()
  #changed = false

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  async find(id: number): Promise<RegistryState | undefined> {
    const { rows } = await this.#client.query<RegistryState>('select id, name, verified from rollup where id = $1', [id])
    return rows[0]
  }

  async findBySlug(name: string): Promise<RegistryState | undefined> {
    const { rows } = await this.#client.query<RegistryState>('select id, name, verified from rollup where slug = $1', [
      slugOf(name),
    ])
    return rows[0]
  }

  async create(entry: RollupEntry, verified: boolean): Promise<number> {
    const slug = await this.#freeSlug(entry.name)
    const providers = parseProviders(entry.name, entry.providers ?? [])
    const { rows } = await this.#client.query<{ id: number }>(
      `insert into rollup (id, name, slug, verified, ${TEXT_FIELDS.join(', ')}, ${LIST_FIELDS.join(', ')})
       values ((select coalesce(max(id), 0) + 1 from rollup), $1, $2, $3, ${[...TEXT_FIELDS, ...LIST_FIELDS].map((_, i) => `$${i + 4}`).join(', ')})
       returning id`,
      [
        entry.name,
        slug,
        false,
        ...TEXT_FIELDS.map((field) => entry[field] || DEFAULTS[field] || ''),
        ...LIST_FIELDS.map((field) => entry[field] ?? []),
      ],
    )
    const { id } = rows[0]!
    await this.#insertProviders(id, providers)
    // Only operators see an entry that is not verified.
    if (verified) await this.#fill(id)
    return id
  }

  /** Only what is given and not empty changes; providers replace the old ones. */
  async update(id: number, fields: RollupFields, options: { keepsVerified: boolean }): Promise<boolean> {
    const before = await this.find(id)
    if (!before) return false
    const values: [string, unknown][] = []
    if (fields.name && fields.name !== before.name)
      values.push(['name', fields.name], ['slug', await this.#freeSlug(fields.name, id)])
    for (const field of TEXT_FIELDS) if (fields[field]) values.push([field, fields[field]])
    for (const field of LIST_FIELDS) if (fields[field]?.length) values.push([field, fields[field]])
    const verified = before.verified && options.keepsVerified
    const providers = fields.providers?.length ? parseProviders(before.name, fields.providers) : undefined
    const relinks = before.verified && (!verified || providers !== undefined)
    if (relinks) {
      await this.#unlink(id)
      values.push(['verified', false])
    }
    if (values.length > 0)
      await this.#client.query(
        `update rollup set ${values.map(([column], i) => `${column} = $${i + 2}`).join(', ')} where id = $1`,
        [id, ...values.map(([, value]) => value)],
      )
    if (providers) {
      await this.#client.query('delete from rollup_provider where rollup_id = $1', [id])
      await this.#insertProviders(id, providers)
    }
    this.#changed = true
    if (relinks && verified) await this.#fill(id)
    return true
  }

  async verify(id: number): Promise<boolean> {
    const before = await this.find(id)
    if (!before || before.verified) return before !== undefined
    await this.#fill(id)
    return true
  }

  async remove(id: number): Promise<boolean> {
    const before = await this.find(id)
    if (!before) return false
    if (before.verified) await this.#unlink(id)
    await this.#client.query('delete from rollup where id = $1', [id])
    this.#changed = true
    return true
  }

  /** Whether the chain has seen them; an operator's API refuses what it does not know (docs/rules.md R54). */
  async findUnknownProvider(providers: readonly ProviderBytes[]): Promise<'address' | 'namespace' | undefined> {
    for (const { address, namespace } of providers) {
      if (address && !(await this.#exists('select from address where address = $1', [address]))) return 'address'
      if (namespace) {
        const values = [namespace.subarray(1), namespace[0]]
        if (!(await this.#exists('select from namespace where namespace_id = $1 and version = $2', values))) return 'namespace'
      }
    }
    return undefined
  }

  async finish(schema: string): Promise<void> {
    if (!this.#changed) return
    if (this.#unlinked.size > 0) await rewriteUndo(this.#client, await readVerified(this.#client), this.#unlinked)
    await announceRegistry(this.#client, schema)
  }

  async #fill(id: number): Promise<void> {
    await this.#client.query('insert into rollup_fill (rollup_id) values ($1) on conflict do nothing', [id])
  }

  async #unlink(id: number): Promise<void> {
    this.#unlinked.set(id, {})
    await unlinkBlobs(this.#client, id)
  }

  async #insertProviders(id: number, providers: readonly ProviderBytes[]): Promise<void> {
    for (const [position, { address, namespace }] of providers.entries())
      await this.#client.query('insert into rollup_provider (rollup_id, position, address, namespace) values ($1, $2, $3, $4)', [
        id,
        position,
        address,
        namespace,
      ])
  }

  async #freeSlug(name: string, self?: number): Promise<string> {
    const slug = slugOf(name)
    if (slug === '') throw new BadEntry('bad_name', `${name}: a name needs letters or digits`)
    const taken = await this.findBySlug(name)
    if (taken && taken.id !== self) throw new BadEntry('name_taken', `${name}: rollup ${taken.id} has the slug ${slug} already`)
    return slug
  }

  async #exists(statement: string, values: unknown[]): Promise<boolean> {
    return (await this.#client.query(statement, values)).rowCount !== 0
  }
}
