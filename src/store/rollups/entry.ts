import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { fromBase64 } from '../../lib/encoding/bytes.ts'
import { AstrolabeError } from '../../lib/errors.ts'

/** Text fields of a rollup, as columns and in files. */
export const TEXT_FIELDS = [
  'description',
  'website',
  'github',
  'twitter',
  'logo',
  'l2_beat',
  'defi_lama',
  'bridge',
  'explorer',
  'stack',
  'compression',
  'provider',
  'vm',
  'settled_on',
  'color',
  'type',
  'category',
] as const

export const LIST_FIELDS = ['tags', 'links'] as const

export type ProviderEntry = { address?: string; namespace?: string }

/** Fields of a rollup. */
export type RollupFields = Partial<Record<(typeof TEXT_FIELDS)[number], string>> & {
  name?: string
  tags?: string[]
  links?: string[]
  providers?: ProviderEntry[]
}

/** A registry entry as the operator's file and API give it. */
export type RollupEntry = RollupFields & { name: string; providers: ProviderEntry[]; verified?: boolean }

/** The operator's input is wrong; the message says what. */
export class BadEntry extends AstrolabeError {}

export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

export type ProviderBytes = { address: Buffer | null; namespace: Buffer | null }

export function parseProviders(rollup: string, providers: readonly ProviderEntry[]): ProviderBytes[] {
  if (providers.length === 0) throw new BadEntry('bad_provider', `${rollup}: at least one provider is needed`)
  return providers.map(({ address, namespace }) => {
    if (!address && !namespace) throw new BadEntry('bad_provider', `${rollup}: a provider needs an address or a namespace`)
    return {
      address: address ? parseAddress(rollup, address) : null,
      namespace: namespace ? parseNamespace(rollup, namespace) : null,
    }
  })
}

function parseAddress(rollup: string, text: string): Buffer {
  const account = decodeAccount(text)
  if (account === undefined) throw new BadEntry('bad_provider', `${rollup}: ${text} is not an address`)
  return Buffer.from(account, 'hex')
}

function parseNamespace(rollup: string, text: string): Buffer {
  const bytes = fromBase64(text)
  if (bytes?.length !== 29) throw new BadEntry('bad_provider', `${rollup}: ${text} is not a namespace (base64 of 29 bytes)`)
  return Buffer.from(bytes)
}
