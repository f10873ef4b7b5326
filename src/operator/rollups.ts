import { BadRequest, HttpError } from '../api/http/errors.ts'
import { editRegistry } from '../store/rollups/edit-rollups.ts'
import type { RegistryEditor } from '../store/rollups/editor.ts'
import { BadEntry, parseProviders, type RollupEntry, type RollupFields } from '../store/rollups/entry.ts'

export type RegistryAddress = { url: string; schema: string }

/** Changes of an operator to the registry, with their checks (docs/rules.md R54). */
export class RollupManager {
  readonly #registry: RegistryAddress

  constructor(registry: RegistryAddress) {
    this.#registry = registry
  }

  /** Verified at once only when an admin makes it. */
  create(entry: RollupEntry, isAdmin: boolean): Promise<number> {
    return this.#edit(async (registry) => {
      await checkProviders(registry, entry.name, entry.providers)
      return registry.create(entry, isAdmin)
    })
  }

  /** A change by anyone but an admin has to be verified again. False: there is no such rollup. */
  update(id: number, fields: RollupFields, isAdmin: boolean): Promise<boolean> {
    return this.#edit(async (registry) => {
      if (fields.providers) await checkProviders(registry, fields.name ?? `rollup ${id}`, fields.providers)
      return registry.update(id, fields, { keepsVerified: isAdmin })
    })
  }

  verify(id: number): Promise<boolean> {
    return this.#edit((registry) => registry.verify(id))
  }

  remove(id: number): Promise<boolean> {
    return this.#edit((registry) => registry.remove(id))
  }

  async #edit<T>(edit: (registry: RegistryEditor) => Promise<T>): Promise<T> {
    try {
      return await editRegistry(this.#registry.url, this.#registry.schema, edit)
    } catch (error) {
      if (error instanceof BadEntry) throw new BadRequest(error.message, undefined, error.code)
      throw error
    }
  }
}

async function checkProviders(registry: RegistryEditor, name: string, providers: RollupEntry['providers']): Promise<void> {
  const unknown = await registry.findUnknownProvider(parseProviders(name, providers))
  if (unknown === 'address')
    throw new BadRequest(`${name}: the chain has not seen the address of a provider`, 'providers', 'unknown_address')
  // 500 is the contract's status for it (docs/rules.md R54), although nothing of ours failed.
  if (unknown === 'namespace')
    throw new HttpError(500, 'unknown_namespace', `${name}: the chain has not seen the namespace of a provider`)
}
