export type Schema = {
  type?: string
  format?: string
  enum?: unknown[]
  items?: Schema
  minimum?: number
  maximum?: number
  default?: unknown
}
export type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
export type Operation = { path: string; parameters: Parameter[] }

export const HOSTILE = [
  ...['', ' ', '%00', '%ff', '%', '%zz', '%e2%82', '%ed%a0%80', 'a%00b', '%u0041', '+', '%2B', '%0d%0aX-Injected:%201', '%09'],
  ...['0', '-0', '-1', '+1', '1.5', '0x10', '1e9', '101', '2147483647', '2147483648', '4294967296', '9007199254740993'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '99999999999999999999999', 'NaN', 'Infinity', '٣'],
  ...[
    '..%2F..%2Fetc%2Fpasswd',
    '..',
    '.',
    '~',
    'null',
    'undefined',
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
    '[]',
    '{}',
    '$1',
  ],
  ...[
    "'",
    "''",
    '%22',
    '%60',
    '%3B--',
    "'%20or%201%3D1--",
    "'%20union%20select%20null--",
    '1;select%20pg_sleep(9)',
    "')%20or%20('a'%3D'a",
    '%5C',
    '%25',
    '_',
  ],
  ...[
    '%3Cscript%3Ealert(1)%3C/script%3E',
    '%26amp;',
    'a,b',
    ',',
    ',,',
    'a,',
    'x'.repeat(4000),
    'ff'.repeat(32),
    'A'.repeat(44),
    '%F0%9F%94%AD',
  ],
]

/** A value that exists on the recorded chain, by what the description says of the parameter. */
export function plainValue({ name, schema }: Parameter): string {
  if (schema.type === 'array') return plainValue({ name, in: 'query', required: true, schema: schema.items ?? {} })
  if (schema.enum) return String(schema.enum[0])
  const byFormat: Record<string, string> = {
    bech32: 'celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78',
    'tx-hash': 'ee519586c24252c5d0789aa1dc920d86562906e80d0520ed7dafb99bb5594711',
    hex: '726f757465725f617070000000000000000000000000000000000000000000',
    'namespace-id': '00000000000000000000000000000000000000000068696261636869',
    namespace: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAGhpYmFjaGk%3D',
    commitment: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D',
  }
  if (schema.format && byFormat[schema.format]) return byFormat[schema.format]!
  if (name === 'slug') return 'forma-art'
  if (name === 'height') return '20'
  return schema.type === 'boolean' ? 'true' : '1'
}

export function urlOf({ path, parameters }: Operation, name: string, value: string): string {
  const given = (parameter: Parameter) => (parameter.name === name ? value : plainValue(parameter))
  let url = path
  const query: string[] = []
  for (const parameter of parameters) {
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, given(parameter))
    else if (parameter.required || parameter.name === name) query.push(`${parameter.name}=${given(parameter)}`)
  }
  return query.length > 0 ? `${url}?${query.join('&')}` : url
}

/** A small generator with a known start, so that a failing run can be repeated. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return state / 2 ** 32
  }
}

type Described = { paths: Record<string, { get?: { parameters: Parameter[] } }> }

/** Every reading operation of a description. */
export const readOperations = ({ paths }: Described): Operation[] =>
  Object.entries(paths).flatMap(([path, { get }]) => (get ? [{ path, parameters: get.parameters }] : []))
