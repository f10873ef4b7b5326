/**
 * The few wire forms of protobuf that hashing needs. Generated codecs build message objects first; at 27 hashes a block that is
 * most of the work, and the bytes to hash are canonical (fields in order, defaults left out), so they are written by hand.
 */
export class ProtoWriter {
  #bytes = Buffer.allocUnsafe(512)
  #length = 0

  /** Bytes written since the last `reset`, as a view that the next write destroys. */
  get view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  reset(): this {
    this.#length = 0
    return this
  }

  /** An integer field; 0 is left out. Negative values take ten bytes, as int64 does. */
  integer(field: number, value: number | bigint): this {
    if (value === 0 || value === 0n) return this
    this.#grow(20)
    this.#varint(field << 3)
    if (typeof value === 'number' && value > 0) this.#varint(value)
    else this.#bigVarint(BigInt.asUintN(64, BigInt(value)))
    return this
  }

  /** A field of eight bytes (fixed64, sfixed64); 0 is left out. */
  fixed64(field: number, value: number): this {
    if (value === 0) return this
    this.#grow(18)
    this.#varint((field << 3) | 1)
    this.#length = this.#bytes.writeBigInt64LE(BigInt(value), this.#length)
    return this
  }

  /** The length of what was written, as it stands before it in a stream. */
  lengthPrefix(): Uint8Array {
    const start = this.#length
    this.#grow(10)
    this.#varint(start)
    const prefix = Buffer.from(this.#bytes.subarray(start, this.#length))
    this.#length = start
    return prefix
  }

  /** A bytes field from text in `encoding`; empty text is left out. */
  text(field: number, value: string, encoding: 'utf8' | 'hex' | 'base64'): this {
    if (value.length === 0) return this
    const size = Buffer.byteLength(value, encoding)
    this.#grow(size + 10)
    this.#varint((field << 3) | 2)
    this.#varint(size)
    this.#length += this.#bytes.write(value, this.#length, encoding)
    return this
  }

  /** A bytes field; empty bytes are left out. */
  bytes(field: number, value: Uint8Array): this {
    if (value.length === 0) return this
    this.#grow(value.length + 10)
    this.#varint((field << 3) | 2)
    this.#varint(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
    return this
  }

  /** A message field that is written even when it is empty; its body must stay below 128 bytes. */
  message(field: number, writeBody: (writer: this) => void): this {
    this.#grow(12)
    this.#varint((field << 3) | 2)
    const lengthAt = this.#length++
    writeBody(this)
    this.#bytes[lengthAt] = this.#length - lengthAt - 1
    return this
  }

  #varint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length++] = rest
  }

  #bigVarint(value: bigint): void {
    let rest = value
    while (rest > 0x7fn) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80
      rest >>= 7n
    }
    this.#bytes[this.#length++] = Number(rest)
  }

  #grow(extra: number): void {
    if (this.#length + extra <= this.#bytes.length) return
    const wider = Buffer.allocUnsafe((this.#length + extra) * 2)
    this.#bytes.copy(wider, 0, 0, this.#length)
    this.#bytes = wider
  }
}
