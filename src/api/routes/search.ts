import { type Static, Type } from 'typebox'
import { decodeAddress } from '../../lib/bech32.ts'
import type { Db } from '../../store/db.ts'
import { findAddress } from '../../store/read/address/account.ts'
import { findBlock, findBlocksByHash } from '../../store/read/block.ts'
import { findNamespace } from '../../store/read/namespace.ts'
import {
  findValidatorByOperator,
  searchNames,
  searchNamespaces,
  searchRollups,
  searchValidators,
} from '../../store/read/search.ts'
import { findTx } from '../../store/read/tx.ts'
import { readAddress, readHex, readInteger, readNamespace } from '../http/read-text.ts'
import type { RouteGroup } from '../route.ts'
import { SearchItem } from '../schema/search.ts'
import { toBlock, toFullBlock } from '../view/block.ts'
import { toNamespace } from '../view/namespace.ts'
import { toRollup } from '../view/rollup.ts'
import { toTx } from '../view/tx.ts'
import { toValidator } from '../view/validator.ts'
import { toAddress } from './address/account.ts'

type Found = Static<typeof SearchItem>

/** Results of a search by text, whatever they are. */
const MAX_FOUND = 10
const MAX_HEIGHT = 2 ** 31 - 1

export const searchRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/search',
    {
      schema: {
        operationId: 'search',
        summary: 'Finds blocks, transactions, addresses, namespaces, validators and rollups',
        description:
          'A height, a block, data or transaction hash, an address, a namespace (58 hex characters or base64), or a part of a name or namespace id.',
        tags: ['search'],
        querystring: Type.Object({ query: Type.String({ minLength: 1 }) }),
        response: { 200: Type.Array(SearchItem) },
      },
    },
    async ({ query: { query: text } }) => {
      const height = readInteger(text)
      const block = height !== undefined && height >= 0 && height < MAX_HEIGHT ? await findBlock(db, height) : undefined
      const first: Found[] = block ? [{ type: 'block', result: toFullBlock(block, false) }] : []
      return [...first, ...(await searchText(db, text))]
    },
  )
}

/** The first rule that the text fits decides (docs/rules.md R40). */
function searchText(db: Db, text: string): Promise<Found[]> {
  const address = readAddress(text)
  if (address) return decodeAddress(text)?.prefix === 'celestia' ? searchAddress(db, address) : searchOperator(db, address)
  const bytes = readHex(text)
  if (bytes?.length === 32) return searchHash(db, bytes)
  const namespace = bytes?.length === 29 || /^[A-Za-z0-9+/]{39}=$/.test(text) ? readNamespace(text) : undefined
  return namespace ? searchNamespace(db, namespace) : searchWords(db, text)
}

async function searchAddress(db: Db, address: Uint8Array): Promise<Found[]> {
  const row = await findAddress(db, address)
  return row ? [{ type: 'address', result: toAddress(row) }] : []
}

async function searchOperator(db: Db, operator: Uint8Array): Promise<Found[]> {
  const [validator, accounts] = await Promise.all([findValidatorByOperator(db, operator), searchAddress(db, operator)])
  return validator ? [{ type: 'validator', result: toValidator(validator) }, ...accounts] : accounts
}

/** These blocks come without proposer and these txs without signers. */
async function searchHash(db: Db, hash: Uint8Array): Promise<Found[]> {
  const [blocks, tx] = await Promise.all([findBlocksByHash(db, hash), findTx(db, hash)])
  const found: Found[] = blocks.map((block) => ({ type: 'block', result: toBlock(block) }))
  return tx ? [...found, { type: 'tx', result: toTx(tx) }] : found
}

async function searchNamespace(db: Db, namespace: { version: number; id: Uint8Array }): Promise<Found[]> {
  const row = await findNamespace(db, namespace)
  return row ? [{ type: 'namespace', result: toNamespace(row) }] : []
}

async function searchWords(db: Db, text: string): Promise<Found[]> {
  const [rollups, namespaces, validators, names] = await Promise.all([
    searchRollups(db, text, MAX_FOUND),
    /^[0-9a-f]+$/i.test(text) ? searchNamespaces(db, text, MAX_FOUND) : [],
    searchValidators(db, text, MAX_FOUND),
    searchNames(db, text, MAX_FOUND),
  ])
  const found: Found[] = [
    ...rollups.map((row) => ({ type: 'rollup' as const, result: toRollup(row) })),
    ...namespaces.map((row) => ({ type: 'namespace' as const, result: toNamespace(row) })),
    ...validators.map((row) => ({ type: 'validator' as const, result: toValidator(row) })),
    ...names.map(({ celestial_status: status, ...row }) => {
      const address = toAddress(row)
      const primary = status === 'PRIMARY' || undefined
      return {
        type: 'address' as const,
        result: { ...address, celestials: address.celestials && { ...address.celestials, status, primary } },
      }
    }),
  ]
  return found.slice(0, MAX_FOUND)
}
