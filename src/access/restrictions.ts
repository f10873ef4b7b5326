import { Type } from 'typebox'
import { BadRequest, HttpError } from '../api/http/errors.ts'
import { createAddressTest, isAddressRange } from '../config/address-range.ts'
import type { ActiveKey } from '../store/access/key-ring.ts'
import type { KeyRestrictions } from '../store/access/keys.ts'

const List = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 50, description }))

/** As callers give and see them. */
export const Restrictions = Type.Object(
  {
    origins: List('origins of web pages, as `https://app.example`: requests of others, and without an `Origin`, are refused'),
    addresses: List('addresses and CIDR ranges that requests come from'),
    networks: List('names of networks of this service'),
    operations: List('operation ids of the API, as `get-block`'),
  },
  { additionalProperties: false, description: 'where and for what the key may be used; an absent list does not restrict' },
)

/** What lists may name: networks that are served, operations that the API has. */
export type KnownNames = { networks: ReadonlySet<string>; operations: ReadonlySet<string> }

/** Restrictions in the form in which they are kept. Throws a BadRequest that names the list. */
export function readRestrictions(given: KeyRestrictions, known: KnownNames): KeyRestrictions {
  const read = (name: keyof KeyRestrictions, toItem: (text: string) => string | undefined, expected: string) => {
    const items = given[name]?.map((text) => {
      const item = toItem(text)
      if (item === undefined) throw new BadRequest(`restrictions.${name}: ${text} is not ${expected}`, `restrictions.${name}`)
      return item
    })
    return items && { [name]: [...new Set(items)] }
  }
  return {
    ...read('origins', toOrigin, 'an origin as https://app.example'),
    ...read('addresses', (text) => (isAddressRange(text) ? text : undefined), 'an address or a CIDR range'),
    ...read('networks', (text) => (known.networks.has(text) ? text : undefined), 'a network of this service'),
    ...read('operations', (text) => (known.operations.has(text) ? text : undefined), 'an operation of the API'),
  }
}

/** Browsers send scheme, host and port alone, in lower case. */
function toOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@\s]+$/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).origin
}

/** Place that a key is used from, and on. */
export type UsePlace = { origin: string | undefined; address: string; network: string }

/** Throws 403 when the key is for other places. */
export function checkPlace(key: ActiveKey, { origin, address, network }: UsePlace): void {
  const { origins, addresses, networks } = key.restrictions
  if (networks && !networks.includes(network))
    throw refuse(key, `for the networks ${networks.join(', ')}, and this is ${network}`)
  if (origins && !(origin !== undefined && origins.includes(origin)))
    throw refuse(
      key,
      `for pages of ${origins.join(', ')}, and the request ${origin === undefined ? 'has no Origin' : 'comes from another origin'}`,
    )
  if (addresses && !addressTest(addresses)(address)) throw refuse(key, 'for other client addresses than the one of this request')
}

/** Throws 403 when the key is for other operations. Undefined: no operation of the API, such as its description. */
export function checkOperation(key: ActiveKey | undefined, operation: string | undefined): void {
  const operations = key?.restrictions.operations
  if (operations && operation !== undefined && !operations.includes(operation))
    throw refuse(key!, `for the operations ${operations.join(', ')}, and this is ${operation}`)
}

/** Throws 403: a restricted key, which may be in a web page, neither shows nor changes what its account owns unless it names the operation. */
export function checkOwner(key: ActiveKey, operation: string): void {
  const { restrictions } = key
  if (Object.keys(restrictions).length > 0 && !restrictions.operations?.includes(operation))
    throw refuse(key, `not for ${operation}, which needs a key without restrictions or one that names this operation`)
}

const refuse = ({ label }: ActiveKey, reason: string) =>
  new HttpError(403, 'key_restricted', `the key "${label}" is restricted: it is ${reason}`)

const tests = new WeakMap<readonly string[], (address: string) => boolean>()

/** Compiled once for each list that the key ring holds. */
function addressTest(ranges: readonly string[]): (address: string) => boolean {
  let test = tests.get(ranges)
  if (!test) {
    test = createAddressTest(ranges)
    tests.set(ranges, test)
  }
  return test
}
