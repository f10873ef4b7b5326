import { AstrolabeError } from '../errors.ts'
import { sanitizeText } from './bytes.ts'

/** Bytes that are no protobuf message, or not the one they should be. */
export class WireError extends AstrolabeError {
  constructor(message: string) {
    super('wire_format', message)
  }
}

const VARINT = 0
const FIXED64 = 1
const DELIMITED = 2
const FIXED32 = 5

/**
 * Walks the fields of one message: `while (reader.next()) switch (reader.field) …`, where each case reads the value or calls `skip`.
 * Byte values are views. Every step moves forward and stays inside the given bytes, so hostile input ends in a WireError.
 */
export class WireReader {
  /** Number of the field that `next` stopped at. */
  field = 0
  readonly #buffer: Buffer
  readonly #end: number
  #pos: number
  #wire = 0

  constructor(bytes: Uint8Array, start = 0, end = bytes.byteLength) {
    // Text is cut straight out of a Buffer; making a view for each string first costs more than reading it.
    this.#buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#pos = start
    this.#end = end
  }

  /** Moves to the next field; false at the end. */
  next(): boolean {
    if (this.#pos >= this.#end) return false
    const tag = this.#varint()
    if (tag < 8 || tag > 0xffffffff) throw new WireError('field number out of range')
    this.field = tag >>> 3
    this.#wire = tag & 7
    return true
  }

  /** A length-delimited value as a view. */
  bytes(): Uint8Array {
    const start = this.#delimited()
    return new Uint8Array(this.#buffer.buffer, this.#buffer.byteOffset + start, this.#pos - start)
  }

  /** A length-delimited value as a message to walk. */
  message(): WireReader {
    const start = this.#delimited()
    return new WireReader(this.#buffer, start, this.#pos)
  }

  /** A length-delimited value as text: what is not UTF-8, and U+0000, reads as U+FFFD. */
  text(): string {
    const start = this.#delimited()
    return this.#pos === start ? '' : sanitizeText(this.#buffer.toString('utf8', start, this.#pos))
  }

  /** A varint as the chain reads it into 32 bits: higher bits are dropped. */
  uint32(): number {
    const start = this.#pos
    const value = this.#scalar()
    return value <= Number.MAX_SAFE_INTEGER ? value % 0x1_0000_0000 : Number(BigInt.asUintN(32, this.#exact(start)))
  }

  uint64(): bigint {
    const start = this.#pos
    const value = this.#scalar()
    return value <= Number.MAX_SAFE_INTEGER ? BigInt(value) : this.#exact(start)
  }

  skip(): void {
    switch (this.#wire) {
      case VARINT:
        this.#varint()
        break
      case DELIMITED:
        this.#delimited()
        break
      case FIXED64:
        this.#advance(8)
        break
      case FIXED32:
        this.#advance(4)
        break
      default:
        // Groups (3, 4) are not used by any message of the chain and nest without limit.
        throw new WireError(`wire type ${this.#wire}`)
    }
  }

  #scalar(): number {
    if (this.#wire !== VARINT) throw new WireError(`field ${this.field} has wire type ${this.#wire}`)
    return this.#varint()
  }

  /** Moves behind a length-delimited value and returns where it starts. */
  #delimited(): number {
    if (this.#wire !== DELIMITED) throw new WireError(`field ${this.field} has wire type ${this.#wire}`)
    const length = this.#varint()
    const start = this.#pos
    this.#advance(length)
    return start
  }

  #advance(length: number): void {
    if (length > this.#end - this.#pos) throw new WireError('value beyond the end')
    this.#pos += length
  }

  /** Value of a varint as a number: exact up to 2^53, which is all that tags and lengths need. */
  #varint(): number {
    const first = this.#pos < this.#end ? this.#buffer[this.#pos]! : 0x80
    if (first < 0x80) {
      this.#pos++
      return first
    }
    return this.#longVarint()
  }

  #longVarint(): number {
    const start = this.#pos
    const last = Math.min(this.#end, start + 10)
    let value = 0
    let factor = 1
    for (let pos = start; pos < last; pos++) {
      const byte = this.#buffer[pos]!
      value += (byte & 0x7f) * factor
      factor *= 128
      if (byte < 0x80) {
        if (pos - start === 9 && byte > 1) throw new WireError('varint above 64 bits')
        this.#pos = pos + 1
        return value
      }
    }
    throw new WireError(last === this.#end ? 'varint beyond the end' : 'varint above 64 bits')
  }

  /** The varint between `start` and here, read again without rounding. */
  #exact(start: number): bigint {
    let value = 0n
    for (let pos = this.#pos - 1; pos >= start; pos--) value = (value << 7n) | BigInt(this.#buffer[pos]! & 0x7f)
    return value
  }
}
