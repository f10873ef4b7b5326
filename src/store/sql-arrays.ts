/** How one value stands in the text of PostgreSQL, and the type number of lists of it. */
type Item<T> = { arrayOid: number; serialize: (value: T) => string; parse: (text: string) => T }

type ArrayType<T> = {
  to: number
  from: number[]
  serialize: (values: readonly (T | null)[]) => string
  parse: (text: string) => (T | null)[]
}

/**
 * Lists of one dimension. postgres.js would ask each new connection for them, and an answer that is cut off there is a rejection that
 * nobody can catch: it would end the process.
 */
function arrayOf<T>({ arrayOid, serialize, parse }: Item<T>): ArrayType<T> {
  return {
    to: arrayOid,
    from: [arrayOid],
    serialize: (values) => `{${values.map((value) => (value === null ? 'NULL' : quote(serialize(value)))).join(',')}}`,
    parse: (text) => splitArray(text).map((item) => (item === null ? null : parse(item))),
  }
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** Items of `{1,"a \"b\"",NULL}`. */
export function splitArray(text: string): (string | null)[] {
  const items: (string | null)[] = []
  for (const [, quoted, plain] of text.slice(1, -1).matchAll(/(?:"((?:[^"\\]|\\.)*)"|([^,"]+))(?:,|$)/gs))
    items.push(quoted !== undefined ? quoted.replace(/\\(.)/gs, '$1') : plain === 'NULL' ? null : plain!)
  return items
}

const asText = { serialize: (value: string) => String(value), parse: (text: string) => text }
const asNumber = { serialize: (value: number) => String(value), parse: Number }

/** Every list type that a statement of ours takes or gives. */
export const ARRAY_TYPES = {
  smallints: arrayOf({ arrayOid: 1005, ...asNumber }),
  integers: arrayOf({ arrayOid: 1007, ...asNumber }),
  bigints: arrayOf({ arrayOid: 1016, ...asNumber }),
  floats: arrayOf({ arrayOid: 1022, ...asNumber }),
  texts: arrayOf({ arrayOid: 1009, ...asText }),
  numerics: arrayOf({ arrayOid: 1231, ...asText }),
  times: arrayOf({ arrayOid: 1185, ...asText }),
  dates: arrayOf({ arrayOid: 1182, ...asText }),
  bytes: arrayOf<Uint8Array>({
    arrayOid: 1001,
    serialize: (bytes) => `\\x${Buffer.from(bytes).toString('hex')}`,
    parse: (text) => Buffer.from(text.slice(2), 'hex'),
  }),
}
