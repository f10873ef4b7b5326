import { readAddress, readBoolean, readBytes, readHex, readInteger, readNamespace } from '../../api/http/read-text.ts'
import { encodeAddress } from '../../lib/bech32.ts'
import { toBase64, toHex } from '../../lib/bytes.ts'

/** JSON schema as the descriptions show it. */
export type JsonSchema = Record<string, unknown>

/**
 * One kind of input: what the descriptions say about it, and how its text becomes the text the key surface takes.
 * `read` returns undefined when the text is not allowed; then `rule` tells the caller what would be.
 */
export type Input = {
  schema: JsonSchema
  rule: string
  read: (text: string) => string | undefined
  default?: string
  required?: boolean
  example?: string
  /** comma-separated: an empty value is a list of one empty item, which no list allows */
  isList?: true
}

/** No chain is that long and no table that full; larger numbers mean "unknown" and need no other answer than that. */
const MAX_INT4 = 2 ** 31 - 1

export function integer({ minimum, maximum, default: byDefault, description }: IntegerOptions): Input {
  const range = maximum === undefined ? `an integer of ${minimum} or more` : `an integer from ${minimum} to ${maximum}`
  return {
    schema: {
      type: 'integer',
      minimum,
      ...(maximum === undefined ? {} : { maximum }),
      ...(byDefault === undefined ? {} : { default: byDefault }),
      ...(description === undefined ? {} : { description }),
    },
    rule: `must be ${range}`,
    read(text) {
      const value = readInteger(text)
      if (value === undefined || value < minimum || (maximum !== undefined && value > maximum)) return undefined
      return String(value)
    },
    ...(byDefault === undefined ? {} : { default: String(byDefault) }),
  }
}
type IntegerOptions = { minimum: number; maximum?: number; default?: number; description?: string }

export const limit = integer({ minimum: 1, maximum: 100, default: 10 })
export const offset = integer({ minimum: 0, default: 0 })
export const height = integer({ minimum: 1, description: 'block height' })
export const entityId = integer({ minimum: 1 })
export const namespaceVersion = integer({ minimum: 0, maximum: 255 })
export const unixTime = integer({ minimum: 0, description: 'unix seconds' })

export function oneOf<const Word extends string>(words: readonly Word[], byDefault?: Word, description?: string): Input {
  return {
    schema: {
      type: 'string',
      enum: words,
      ...(byDefault === undefined ? {} : { default: byDefault }),
      ...(description === undefined ? {} : { description }),
    },
    rule: `must be one of ${words.join(', ')}`,
    read: (text) => words.find((word) => word === text),
    ...(byDefault === undefined ? {} : { default: byDefault }),
  }
}

export const sort = oneOf(['asc', 'desc'], 'desc')

export function flag(byDefault: boolean, description: string): Input {
  return {
    schema: { type: 'boolean', default: byDefault, description },
    rule: 'must be true or false',
    read: (text) => readBoolean(text)?.toString(),
    default: String(byDefault),
  }
}

export function text(description: string, { minLength = 0, required = false, example = '' } = {}): Input {
  return {
    schema: { type: 'string', ...(minLength > 0 ? { minLength } : {}), description },
    rule: minLength > 0 ? 'must not be empty' : 'is not valid text',
    read: (value) => (value.length >= minLength ? value : undefined),
    ...(required ? { required, example } : {}),
  }
}

/** An account in any of its forms; the key surface takes only the first. */
function readAccount(value: string): string | undefined {
  const bytes = readAddress(value) ?? readHexAccount(value)
  return bytes && encodeAddress('celestia', toHex(bytes))
}

function readHexAccount(value: string): Buffer | undefined {
  const bytes = readHex(value)
  return bytes?.length === 20 || bytes?.length === 32 ? bytes : undefined
}

export const account: Input = {
  schema: { type: 'string', description: 'address: bech32 (celestia1…, celestiavaloper1…) or hex of its bytes' },
  rule: 'must be an address in bech32 or hex',
  read: readAccount,
}

/** At most as many items as the key surface takes. */
const MAX_ITEMS = 50

function commaList(item: (value: string) => string | undefined): Input['read'] {
  return (value) => {
    const items = value.split(',').map(item)
    return items.length <= MAX_ITEMS && items.every((one) => one !== undefined && one !== '') ? items.join(',') : undefined
  }
}

export const accounts: Input = {
  schema: { type: 'string', description: 'comma-separated addresses' },
  rule: `must be up to ${MAX_ITEMS} comma-separated addresses`,
  read: commaList(readAccount),
  isList: true,
}

/** Which names exist is the key surface's knowledge: an unknown one is its 400. */
export const messageTypes: Input = {
  schema: { type: 'string', description: 'comma-separated message types, e.g. MsgPayForBlobs' },
  rule: `must be up to ${MAX_ITEMS} comma-separated message types`,
  read: commaList((one) => one),
  isList: true,
}

export const txHash: Input = {
  schema: { type: 'string', description: 'transaction hash, 64 hex characters' },
  rule: 'must be a hash of 64 hex characters',
  read(value) {
    const bytes = readHex(value)
    return bytes?.length === 32 ? toHex(bytes) : undefined
  },
}

export const namespaceId: Input = {
  schema: { type: 'string', description: 'namespace id, 56 hex characters' },
  rule: 'must be a namespace id of 56 hex characters',
  read(value) {
    const bytes = readHex(value)
    return bytes?.length === 28 ? toHex(bytes) : undefined
  },
}

/** Result: the base64 the key surface's blob list takes. Blobs only ever stand in namespaces of version 0, unless one is named. */
export const namespaceFilter: Input = {
  schema: { type: 'string', description: 'namespace id, 56 hex characters (58 with its version)' },
  rule: 'must be a namespace id of 56 or 58 hex characters',
  read(value) {
    const bytes = readHex(value)
    if (bytes?.length === 29) return toBase64(bytes)
    return bytes?.length === 28 ? toBase64(Buffer.concat([Buffer.of(0), bytes])) : undefined
  },
}

export const namespaceHash: Input = {
  schema: { type: 'string', description: 'version byte and namespace id, 29 bytes in base64 (URL-safe form accepted)' },
  rule: 'must be a namespace of 29 bytes in base64',
  read(value) {
    const namespace = readNamespace(value)
    return namespace && readBytes(value, 29) && toBase64(Buffer.concat([Buffer.of(namespace.version), namespace.id]))
  },
}

/** Ids beyond what the database counts up to are asked for as the largest one: unknown, not out of range. */
export const clampId = (value: string): string => String(Math.min(Number(value), MAX_INT4))
