import { type Static, type TSchema, Type } from 'typebox'

/**
 * Inputs of routes. A schema says three things at once: what bind.ts accepts, which typed value the handler gets, and what the
 * description of the API shows. `format` picks the reader in bind.ts where text and value differ (bytes of an address, of a hash …).
 */

/** No chain is that long and no entity table that full: larger numbers mean "unknown", not "out of range" in SQL. */
const MAX_INT4 = 2 ** 31 - 1
/** Last second of the year 9999, which PostgreSQL still turns into a timestamp. */
const MAX_SECONDS = 253_402_300_799

type Bounds = { minimum: number; maximum?: number; default?: number; description?: string }

/** `clamp` caps a number that is allowed to be huge but can only mean "beyond everything". */
function Whole(bounds: Bounds, clamp: number) {
  return Type.Integer({ ...bounds, clamp })
}

export const Limit = Whole({ minimum: 1, maximum: 100, default: 10, description: 'rows of a page' }, 100)
export const UptimeBlocks = Whole({ minimum: 1, maximum: 1000, default: 10, description: 'how many blocks' }, 1000)
/** Where 0 is refused instead of read as "not given". */
export const StrictLimit = Type.Integer({ ...Limit, takesNoZero: true })
export const Offset = Whole({ minimum: 0, default: 0, description: 'rows to skip' }, Number.MAX_SAFE_INTEGER)

/** Continues a list behind the row with this id, in the list's own order; switches `offset` off. */
export const Cursor = Type.Optional(
  Whole({ minimum: 1, description: 'id of the last row already seen; replaces offset' }, Number.MAX_SAFE_INTEGER),
)

/** Spread into the querystring of every list. */
export const Paging = { limit: Limit, offset: Offset, cursor: Cursor }

export const SortAsc = Type.Enum(['asc', 'desc'], { default: 'asc' })
export const SortDesc = Type.Enum(['asc', 'desc'], { default: 'desc' })

export const Height = Whole({ minimum: 0, description: 'block height; 0 is the genesis pseudo-block' }, MAX_INT4)
/** Heights of real blocks only. */
export const BlockHeight = Whole({ minimum: 1, description: 'block height' }, MAX_INT4)
/** Id of a validator, rollup, proposal, vesting … */
export const EntityId = Whole({ minimum: 1 }, MAX_INT4)
/** Id made of height and position: txs, messages, blobs, transfers … */
export const RowId = Whole({ minimum: 1 }, Number.MAX_SAFE_INTEGER)
export const NamespaceVersion = Type.Integer({ minimum: 0, maximum: 255 })
/** Any other number from 0 upward that the database compares with a bigint column. */
export const Count = Whole({ minimum: 0 }, Number.MAX_SAFE_INTEGER)

/** `bind.ts` reads dates and times as well as the seconds that handlers get. */
const Seconds = (description: string, maximum?: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      ...(maximum === undefined ? {} : { maximum }),
      description: `${description}: unix seconds, or a date or time as in ISO 8601 (2024-05-01, 2024-05-01T10:00:00Z)`,
      clamp: MAX_SECONDS,
      takesTimes: true,
    }),
  )

const FROM = 'beginning, inclusive'
const TO = 'end, exclusive'

/** `from` inclusive, `to` exclusive, unix seconds. */
export const Period = { from: Seconds(FROM), to: Seconds(TO) }

/** A moment. */
export const At = Seconds('as it was at this time')

/** Period of blob lists and export, where the contract has an upper bound (year 2500). */
export const BlobPeriod = {
  from: Seconds(FROM, 16_725_214_800),
  to: Seconds(TO, 16_725_214_800),
}

const BECH32 = '[02-9ac-hj-np-z]'
const BECH32_UPPER = '[02-9AC-HJ-NP-Z]'

/** Bytes of an account: `celestia1…` or, for the same account, `celestiavaloper1…`. */
export const Address = Type.Unsafe<Buffer>({
  type: 'string',
  format: 'bech32',
  pattern: `^(celestia1${BECH32}{38,119}|celestiavaloper1${BECH32}{38}|CELESTIA1${BECH32_UPPER}{38,119}|CELESTIAVALOPER1${BECH32_UPPER}{38})$`,
  examples: ['celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78'],
  description: 'account (celestia1…) or operator (celestiavaloper1…) address',
})

/** Address, also as the hex of its bytes. */
export const AnyAddress = Type.Unsafe<Buffer>({
  type: 'string',
  format: 'account',
  description: 'address: bech32 (celestia1…, celestiavaloper1…) or hex of its bytes',
})

/** The readers of bytes take either case of hex with or without `0x`, and both alphabets of base64 with or without padding. */
const BASE64 = '[A-Za-z0-9+/_-]'
const hexOf = (bytes: number) => `(0[xX])?[0-9a-fA-F]{${2 * bytes}}`

/** 32 bytes of a tx hash: hex of either case, or base64 / base64url of 32 bytes. */
export const TxHash = Type.Unsafe<Buffer>({
  type: 'string',
  format: 'tx-hash',
  pattern: `^(${hexOf(32)}|${BASE64}{43}=?)$`,
  examples: ['9ef6a0e3990d4358d6e4c7e705fb417f9da32500a1c392ff5582e5879e206abd'],
  description: 'transaction hash, 64 hex characters',
})

/** A tx by its hash or, since those of the genesis document have none, by its id. */
export const TxName = Type.Unsafe<Buffer | number>({
  ...TxHash,
  format: 'tx-name',
  pattern: `^([1-9][0-9]{0,14}|${hexOf(32)}|${BASE64}{43}=?)$`,
  description:
    'transaction hash, 64 hex characters; or the id of a transaction, for those of the genesis document, which have no hash',
})

/** Bytes given as hex, with or without `0x`: ids of hyperlane and zk objects. */
export const HexId = Type.Unsafe<Buffer>({
  type: 'string',
  format: 'hex',
  pattern: '^(0[xX])?([0-9a-fA-F]{2})+$',
  description: 'hex',
})

/** 28 bytes of a namespace id. */
export const NamespaceId = Type.Unsafe<Buffer>({
  type: 'string',
  format: 'namespace-id',
  pattern: `^(${hexOf(28)}|${BASE64}{38}(==)?)$`,
  examples: ['000000000000000000000000000000000000006173747269612d6478'],
  description: 'namespace id without version, 56 hex characters',
})

/** A namespace with its version byte: base64, base64url or hex of 29 bytes. */
export const NamespaceHash = Type.Unsafe<{ version: number; id: Buffer }>({
  type: 'string',
  format: 'namespace',
  pattern: `^(${hexOf(29)}|${BASE64}{39}=?)$`,
  examples: ['AAAAAAAAAAAAAAAAAAAAAAAAAABhc3RyaWEtZHg='],
  description: 'version byte and namespace id, 29 bytes in base64',
})

/** A namespace with its version byte, or an id alone, which is one of version 0. */
export const NamespaceOrId = Type.Unsafe<{ version: number; id: Buffer }>({
  type: 'string',
  format: 'namespace-or-id',
  description: 'namespace id, 56 hex characters (58 with its version)',
})

export const Commitment = Type.Unsafe<Buffer>({
  type: 'string',
  format: 'commitment',
  // Base64 of another length is a value that nothing matches.
  pattern: `^(${BASE64}{4})*(${BASE64}{4}|${BASE64}{3}=?|${BASE64}{2}(==)?)$`,
  examples: ['15rtAt8JNDzaZkrOqvXxtsU5SGyqvne8avMhjNTM+No='],
  description: 'share commitment, base64 or base64url (or hex) of 32 bytes',
})

/** Several values separated by commas in one text: OR inside the list. At most 50, unless the route says otherwise. */
export function CommaList<T extends TSchema>(items: T, options: { description?: string; maxItems?: number } = {}) {
  return Type.Unsafe<Static<T>[]>({ type: 'array', items, style: 'form', explode: false, minItems: 1, maxItems: 50, ...options })
}

export const Flag = (byDefault: boolean, description: string) => Type.Boolean({ default: byDefault, description })
