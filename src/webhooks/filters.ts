import { type Static, Type } from 'typebox'
import { BadRequest } from '../api/http/errors.ts'
import { readAddress, readNamespace } from '../api/http/read-text.ts'
import { MessageType, ProposalStatus } from '../api/schema/enums.ts'
import type { Selection } from '../feed/kind.ts'

const VALUES = 50
const several = { minItems: 1, maxItems: VALUES, uniqueItems: true }
const Word = Type.String({ minLength: 1, maxLength: 200 })

/** As the owner gives them and sees them again. Values of one kind are alternatives, kinds are combined. */
export const WebhookFilters = Type.Object(
  {
    namespace: Type.Optional(Type.Array(Word, { ...several, description: 'version byte and id, 29 bytes in base64 or hex' })),
    signer: Type.Optional(Type.Array(Word, { ...several, description: 'accounts that signed' })),
    address: Type.Optional(
      Type.Array(Word, {
        ...several,
        description: 'accounts that take part: named by a message, signed a blob, sent or received',
      }),
    ),
    message_type: Type.Optional(Type.Array(MessageType, { ...several, description: 'the transaction holds one of these' })),
    validator: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { ...several, description: 'ids of validators' })),
    proposal_status: Type.Optional(Type.Array(ProposalStatus, { ...several, description: 'states that a proposal enters' })),
    min_amount: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,40}$',
        description: 'transfers of at least this much of `denom`',
        examples: ['1000000000'],
      }),
    ),
    denom: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'denomination of transfers; utia without it' }),
    ),
    min_gas_price: Type.Optional(
      Type.Number({ minimum: 0, description: 'utia per gas that the median price rises to or above' }),
    ),
  },
  { title: 'WebhookFilters', additionalProperties: false },
)
export type WebhookFilters = Static<typeof WebhookFilters>
export type FilterName = keyof WebhookFilters

/** Throws a bad request that names the filter. */
export function compileFilters(filters: WebhookFilters): Selection {
  return {
    namespaces: readAll(filters.namespace, 'namespace', readNamespaceKey),
    signers: readAll(filters.signer, 'signer', readAddressKey),
    addresses: readAll(filters.address, 'address', readAddressKey),
    messageTypes: toSet<string>(filters.message_type),
    validators: toSet(filters.validator),
    proposalStatus: toSet<string>(filters.proposal_status),
    minAmount: filters.min_amount === undefined ? undefined : BigInt(filters.min_amount),
    denom: filters.denom,
    minGasPrice: filters.min_gas_price,
  }
}

const toSet = <T>(values: readonly T[] | undefined) => values && new Set(values)

function readAll(texts: string[] | undefined, name: FilterName, read: (text: string) => string | undefined) {
  return texts?.map((text) => {
    const value = read(text)
    const kind = name === 'namespace' ? 'a namespace of 29 bytes in base64 or hex' : 'an address with prefix celestia'
    if (value === undefined) throw new BadRequest(`filters.${name}: ${text} is not ${kind}`, `filters.${name}`)
    return value
  })
}

function readNamespaceKey(text: string): string | undefined {
  const namespace = readNamespace(text)
  return namespace && Buffer.from([namespace.version, ...namespace.id]).toString('hex')
}

function readAddressKey(text: string): string | undefined {
  return readAddress(text)?.toString('hex')
}
