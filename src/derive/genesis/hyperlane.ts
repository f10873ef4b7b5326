/** Mailboxes, gas paymasters, tokens and security modules of a chain that was exported from another one. */
import { asFields, asInteger, asList, asText, type Fields } from '../../decode/genesis-fields.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { fromBase64, toHex } from '../../lib/encoding/bytes.ts'
import type { Effect } from '../../types/effects.ts'
import { toHyperlaneId } from '../event/hyperlane.ts'

export function listHyperlaneState({ hyperlane, warp, zkism }: Fields): Effect[] {
  const core = asFields(hyperlane, 'hyperlane')
  const hooks = asFields(core.post_dispatch_genesis, 'hyperlane.post_dispatch_genesis')
  const igps = readAll(hooks.igps, 'hyperlane.igps')
  return [
    ...readAll(core.mailboxes, 'hyperlane.mailboxes').flatMap(listMailbox),
    ...igps.flatMap(listIgp),
    ...readAll(hooks.igp_gas_configs, 'hyperlane.igp_gas_configs').flatMap((config) => listGasConfig(config, igps)),
    ...readAll(asFields(warp, 'warp').tokens, 'warp.tokens').flatMap(listToken),
    ...readAll(asFields(zkism, 'zkism').isms, 'zkism.isms').flatMap(listIsm),
  ]
}

type Entry = { fields: Fields; path: string; id: string | undefined; owner: string | null }

function readAll(value: unknown, path: string): Entry[] {
  return asList(value, path).map((entry, i) => {
    const at = `${path}[${i}]`
    const fields = asFields(entry, at)
    const owner = decodeAccount(asText(fields.owner, `${at}.owner`)) ?? null
    return { fields, path: at, id: idIn(fields, 'id'), owner }
  })
}

/** Hooks may be absent, which some versions write as an empty text. */
function idIn(fields: Fields, key: string): string | undefined {
  const value = fields[key]
  return typeof value === 'string' ? toHyperlaneId(value) : undefined
}

function numberIn({ fields, path }: Entry, key: string): number {
  return Number(asInteger(fields[key], `${path}.${key}`))
}

function listMailbox(entry: Entry): Effect[] {
  const { fields, id, owner } = entry
  if (id === undefined) return []
  return [
    {
      kind: 'hl-mailbox',
      mailbox: id,
      owner,
      defaultIsm: idIn(fields, 'default_ism') ?? null,
      defaultHook: idIn(fields, 'default_hook') ?? null,
      requiredHook: idIn(fields, 'required_hook') ?? null,
      localDomain: numberIn(entry, 'local_domain'),
      past: { sent: numberIn(entry, 'message_sent'), received: numberIn(entry, 'message_received') },
    },
  ]
}

function listIgp({ fields, path, id, owner }: Entry): Effect[] {
  return id === undefined ? [] : [{ kind: 'hl-igp', igp: id, owner, denom: asText(fields.denom, `${path}.denom`) }]
}

/** A configuration names its paymaster by the number that the last eight bytes of the id hold. */
function listGasConfig(entry: Entry, igps: readonly Entry[]): Effect[] {
  const { fields, path } = entry
  const internalId = asInteger(fields.igp_id, `${path}.igp_id`)
  const igp = igps.find(({ id }) => id !== undefined && BigInt(`0x${id.slice(48)}`) === internalId)?.id
  if (igp === undefined) return []
  const oracle = asFields(fields.gas_oracle, `${path}.gas_oracle`)
  return [
    {
      kind: 'hl-igp-config',
      igp,
      remoteDomain: numberIn(entry, 'remote_domain'),
      gasOverhead: asInteger(fields.gas_overhead, `${path}.gas_overhead`),
      gasPrice: asInteger(oracle.gas_price, `${path}.gas_price`),
      tokenExchangeRate: asText(oracle.token_exchange_rate, `${path}.token_exchange_rate`),
    },
  ]
}

function listToken({ fields, path, id, owner }: Entry): Effect[] {
  if (id === undefined) return []
  return [
    {
      kind: 'hl-token',
      token: id,
      type: fields.token_type === 'HYP_TOKEN_TYPE_COLLATERAL' ? 'collateral' : 'synthetic',
      mailbox: idIn(fields, 'origin_mailbox') ?? '',
      denom: asText(fields.origin_denom, `${path}.origin_denom`),
      owner,
    },
  ]
}

function listIsm({ fields, path, id, owner }: Entry): Effect[] {
  if (id === undefined) return []
  const hex = (key: string) => toHex(fromBase64(asText(fields[key], `${path}.${key}`)) ?? new Uint8Array(0))
  return [
    {
      kind: 'zkism',
      ism: id,
      creator: owner,
      state: hex('state'),
      merkleTreeAddress: hex('merkle_tree_address'),
      groth16Vkey: hex('groth16_vkey'),
      stateTransitionVkey: hex('state_transition_vkey'),
      stateMembershipVkey: hex('state_membership_vkey'),
    },
  ]
}
