import type { Any } from '@bufbuild/protobuf/wkt'
import { sanitizeText, toBase64 } from '../lib/encoding/bytes.ts'
import type { Json } from '../types/effects.ts'
import { decodeAny } from './any.ts'
import { type Nesting, shapeOf } from './message-shape.ts'
import { API_DIALECT, fillJsonObject, type JsonObject, toJsonObject } from './to-json.ts'

/** Beyond either limit inner messages stay undecoded: nesting is free for who writes it and must not be expensive for who reads it. */
const MAX_DEPTH = 16
const MAX_MESSAGES = 10_000

/** Decodes messages inside messages within the limits of one outer message. */
class LimitedNesting implements Nesting {
  readonly success: boolean
  #depth = 0
  #left = MAX_MESSAGES

  constructor(success: boolean) {
    this.success = success
  }

  /** `data` of a message, without its type: the top-level one and those of MsgExec. */
  data(typeUrl: string, value: Uint8Array): JsonObject | null {
    return this.#enter(() => {
      const decoded = this.#decode(typeUrl, value)
      if (!decoded) return { TypeUrl: sanitizeText(typeUrl), Value: toBase64(value) }
      if (decoded.schema.fields.length === 0) return null
      const { schema, message } = decoded
      const shape = shapeOf(schema.typeName)
      const writeAny = shape?.any
      const data = toJsonObject(schema, message, API_DIALECT, (any) => (writeAny ? writeAny(any, this) : this.any(any)))
      shape?.finish?.(data, message, this)
      return data
    })
  }

  /** The object of an Any inside a message, which says its type. */
  any({ typeUrl, value }: Pick<Any, 'typeUrl' | 'value'>): Json {
    return this.#enter(() => {
      const out: JsonObject = { '@type': sanitizeText(typeUrl) }
      const decoded = this.#decode(typeUrl, value)
      if (decoded) fillJsonObject(out, decoded.schema, decoded.message, API_DIALECT, (any) => this.any(any))
      else out.Value = toBase64(value)
      return out
    })
  }

  #decode(typeUrl: string, value: Uint8Array): ReturnType<typeof decodeAny> {
    return this.#depth > MAX_DEPTH || --this.#left < 0 ? undefined : decodeAny(typeUrl, value)
  }

  #enter<T>(write: () => T): T {
    this.#depth++
    try {
      return write()
    } finally {
      this.#depth--
    }
  }
}

/**
 * The API's `data` object of a message. It is made from the stored bytes when it is read, so that a mistake here is mended by a new
 * release and not by indexing again. `success` is that of the tx: light-client messages are only unpacked when they took effect.
 */
export function messageData(typeUrl: string, value: Uint8Array, { success }: { success: boolean }): JsonObject | null {
  return new LimitedNesting(success).data(typeUrl, value)
}
