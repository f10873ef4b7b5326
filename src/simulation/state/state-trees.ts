import { type Bytes, bytesField, concat, equal, fromHex, integerField } from '../../client/proof/encoding.ts'
import { keyOf, type StateKey, type StateRecord, type StateValue } from '../../client/proof/state-record.ts'
import { type AddressPrefix, encodeAddress } from '../../lib/encoding/bech32.ts'
import { findLeaf, removeKey, setKey, sha256, type TreeNode } from './iavl.ts'
import { hashStores, proveKey, proveStore, type StoreRoots } from './proofs.ts'

/** One step of a proof as the RPC prints it. */
export type PrintedProofOp = { type: string; key: string; data: string }

/** Answers for the state of a chain: undefined when the height is not kept. */
export type ProveState = (height: number, store: string, key: Uint8Array) => PrintedProofOp[] | undefined

/** Roots are kept for this many heights, as by a node that prunes. */
const KEPT_HEIGHTS = 1000

/** Stores whose content nobody proves: they are there because a chain has them. */
const OTHER_STORES = ['acc', 'blob', 'distribution', 'gov', 'ibc', 'mint', 'slashing', 'transfer']
const EMPTY_ROOT = sha256(new Uint8Array())

/** The state of a chain in trees that hash as its own do: every record has a proof up to the `app_hash` of the header above. */
export class StateTrees {
  readonly #trees = new Map<StateKey['store'], TreeNode | undefined>([
    ['bank', undefined],
    ['staking', undefined],
  ])
  readonly #kept = new Map<number, Map<string, TreeNode | undefined>>()

  /** No value, or one of nothing, takes the record out. */
  set(record: StateRecord, value: StateValue | undefined): void {
    const { store, key } = keyOf(record)
    const tree = this.#trees.get(store)
    const bytes = value && encodeValue(record, value)
    if (!bytes) this.#trees.set(store, removeKey(tree, key))
    else if (!equal(findLeaf(tree, key)?.value ?? NOTHING, bytes)) this.#trees.set(store, setKey(tree, { key, value: bytes }))
  }

  /** Ends a block; returns the `app_hash` of the next header, in upper-case hex. */
  commit(height: number): string {
    this.#kept.set(height, new Map(this.#trees))
    this.#kept.delete(height - KEPT_HEIGHTS)
    return Buffer.from(hashStores(rootsOf(this.#trees)))
      .toString('hex')
      .toUpperCase()
  }

  readonly prove: ProveState = (height, store, key) => {
    const trees = this.#kept.get(height)
    const tree = trees?.get(store)
    if (!trees || !tree) return undefined
    return [
      print('ics23:iavl', key, proveKey(tree, key)),
      print('ics23:simple', Buffer.from(store), proveStore(rootsOf(trees), store)),
    ]
  }
}

const NOTHING = new Uint8Array()

function rootsOf(trees: ReadonlyMap<string, TreeNode | undefined>): StoreRoots {
  const own = [...trees].map(([name, tree]) => [name, tree?.hash ?? EMPTY_ROOT] as const)
  const others = OTHER_STORES.map((name) => [name, sha256(concat(fromHex('00'), Buffer.from(name)))] as const)
  return [...own, ...others].sort(([a], [b]) => (a < b ? -1 : 1))
}

function print(type: string, key: Uint8Array, data: Uint8Array): PrintedProofOp {
  return { type, key: Buffer.from(key).toString('base64'), data: Buffer.from(data).toString('base64') }
}

const BONDED = 3
const UNBONDED = 1

/** The bytes that the chain keeps of a record; undefined when it would keep none. */
function encodeValue(record: StateRecord, value: StateValue): Bytes | undefined {
  if ('amount' in value) return value.amount === 0n ? undefined : text(String(value.amount))
  if (value.shares === 0n) return undefined
  const shares = text(String(value.shares))
  if (record.kind === 'validator' && 'tokens' in value)
    return concat(
      bytesField(1, address('celestiavaloper', record.operator)),
      integerField(3, Number(value.jailed)),
      integerField(4, value.bonded ? BONDED : UNBONDED),
      bytesField(5, text(String(value.tokens))),
      bytesField(6, shares),
    )
  if (record.kind === 'delegation')
    return concat(
      bytesField(1, address('celestia', record.delegator)),
      bytesField(2, address('celestiavaloper', record.operator)),
      bytesField(3, shares),
    )
  throw new Error(`a ${record.kind} has no such value`)
}

const text = (value: string): Bytes => new TextEncoder().encode(value)
const address = (prefix: AddressPrefix, hex: string): Bytes => text(encodeAddress(prefix, hex))
