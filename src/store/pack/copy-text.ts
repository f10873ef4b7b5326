/** PostgreSQL COPY text format: tab-separated, `\N` for null, four characters escaped. */

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

export function copyText(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (c) => ESCAPES[c]!) : text
}

/** Empty texts are kept as null: the API leaves them out, and null costs no space. */
export function copyTextOrNull(text: string): string {
  return text === '' ? '\\N' : copyText(text)
}

export function copyBytes(bytes: Uint8Array): string {
  return `\\\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
}

export function copyHex(hex: string): string {
  return `\\\\x${hex}`
}

const INT8_MAX = 2n ** 63n - 1n

/** Gas and the like are u64 on the chain: a hostile value must not stop the index. */
export function copyInt8(value: bigint): string {
  return (value > INT8_MAX ? INT8_MAX : value).toString()
}
