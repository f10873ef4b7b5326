import { type Static, Type } from 'typebox'
import { decodeAddress } from '../../lib/encoding/bech32.ts'
import type { Db } from '../../store/db.ts'
import { findAddress } from '../../store/read/address/account.ts'
import { joinBlobs, pageOfBlobs } from '../../store/read/blob.ts'
import { findBlock, findBlocksByHash } from '../../store/read/block.ts'
import { findNamespace, type NamespaceName } from '../../store/read/namespace.ts'
import {
  findHashUses,
  findValidatorByOperator,
  listValidatorsByConsensus,
  searchNames,
  searchNamespaces,
  searchOperators,
  searchRollups,
  searchValidators,
} from '../../store/read/search.ts'
import { searchRecords } from '../../store/read/search-records.ts'
import { readAddress, readBytes, readConsensusAddress, readInteger, readNamespace, readOperatorPart } from '../http/read-text.ts'
import type { RouteGroup } from '../route.ts'
import { SearchItem } from '../schema/search.ts'
import { toBlobLog } from '../view/blob.ts'
import { toBlock, toFullBlock } from '../view/block.ts'
import { toNamespace } from '../view/namespace.ts'
import { toRollup } from '../view/rollup.ts'
import { toTx } from '../view/tx.ts'
import { toValidator } from '../view/validator.ts'
import { toAddress } from './address/account.ts'

type Found = Static<typeof SearchItem>

/** Types that an index without state cannot show: their balances and stake are not known. */
const STATE_TYPES = new Set<Found['type']>([
  'address',
  'validator',
  'proposal',
  'ibc_client',
  'ibc_channel',
  'hyperlane_domain',
  'upgrade',
])

/** Results of a search by text, whatever they are. */
const MAX_FOUND = 10
/** Beside them: proposals, bridges and upgrades. */
const MAX_RECORDS = 5
const MAX_HEIGHT = 2 ** 31 - 1

export const searchRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/search',
    {
      schema: {
        operationId: 'search',
        summary: 'Finds blocks, transactions, addresses, namespaces, validators, rollups, blobs, proposals, bridges and upgrades',
        description:
          'A height, a block, data or transaction hash, a commitment, an address of an account, an operator or a consensus key, a namespace (58 hex characters or base64), a part of a name or namespace id, the beginning of an operator address, the number or a part of the title of a proposal, an IBC client, channel or chain, a Hyperlane domain, or the version of an upgrade.',
        tags: ['search'],
        querystring: Type.Object({ query: Type.String({ minLength: 1 }) }),
        response: { 200: Type.Array(SearchItem) },
      },
      needsState: false,
    },
    async ({ query: { query: text } }) => {
      const height = readInteger(text)
      const block = height !== undefined && height >= 0 && height < MAX_HEIGHT ? await findBlock(db, height) : undefined
      const first: Found[] = block ? [{ type: 'block', result: toFullBlock(block, false) }] : []
      const found = [...first, ...(await searchText(db, text))]
      return head()?.has_state === false ? found.filter(({ type }) => !STATE_TYPES.has(type)) : found
    },
  )
}

/** The first rule that the text fits decides (docs/rules.md R40). */
async function searchText(db: Db, text: string): Promise<Found[]> {
  const address = readAddress(text)
  if (address) return decodeAddress(text)?.prefix === 'celestia' ? searchAddress(db, address) : searchOperator(db, address)
  const hash = readBytes(text, 32)
  if (hash) return searchHash(db, hash)
  const namespace = readNamespace(text)
  if (namespace) return searchNamespace(db, namespace)
  const operator = readOperatorPart(text)
  if (operator)
    return (await searchOperators(db, operator, MAX_FOUND)).map((row) => ({ type: 'validator', result: toValidator(row) }))
  const consensus = readConsensusAddress(text)
  const validators = consensus ? await listValidatorsByConsensus(db, consensus, MAX_FOUND) : []
  const found = validators.map((row): Found => ({ type: 'validator', result: toValidator(row) }))
  const [words, records] = await Promise.all([searchWords(db, text), searchRecords(db, text, MAX_RECORDS)])
  // Twenty bytes of hex may be a part of a namespace id as well.
  return [...[...found, ...words].slice(0, MAX_FOUND), ...records.map(({ type, ...result }): Found => ({ type, result }))]
}

async function searchAddress(db: Db, address: Uint8Array): Promise<Found[]> {
  const row = await findAddress(db, address)
  return row ? [{ type: 'address', result: toAddress(row) }] : []
}

async function searchOperator(db: Db, operator: Uint8Array): Promise<Found[]> {
  const [validator, accounts] = await Promise.all([findValidatorByOperator(db, operator), searchAddress(db, operator)])
  return validator ? [{ type: 'validator', result: toValidator(validator) }, ...accounts] : accounts
}

/** These blocks come without proposer and these txs without signers; a hash may also be the commitment of blobs, the newest first. */
async function searchHash(db: Db, hash: Uint8Array): Promise<Found[]> {
  const newest = { commitment: hash, sort: 'desc' as const, limit: MAX_FOUND, offset: 0 }
  const { block, blob, tx } = await findHashUses(db, hash)
  const [blocks, blobs] = await Promise.all([
    block ? findBlocksByHash(db, hash) : [],
    blob ? joinBlobs(db, pageOfBlobs(db, newest), newest, { namespace: true, tx: true, signer: true, rollup: true }) : [],
  ])
  const found: Found[] = blocks.map((block) => ({ type: 'block', result: toBlock(block) }))
  if (tx) found.push({ type: 'tx', result: toTx(tx) })
  return [...found, ...blobs.map((blob): Found => ({ type: 'blob', result: toBlobLog(blob) }))]
}

async function searchNamespace(db: Db, namespace: NamespaceName): Promise<Found[]> {
  const row = await findNamespace(db, namespace)
  return row ? [{ type: 'namespace', result: toNamespace(row) }] : []
}

async function searchWords(db: Db, text: string): Promise<Found[]> {
  const [rollups, namespaces, validators, names] = await Promise.all([
    searchRollups(db, text, MAX_FOUND),
    searchNamespaces(db, text, MAX_FOUND),
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
