/** Light clients, connections and channels of a chain that was exported from another one. */
import { asFields, asInteger, asList, asNanos, asText, type Fields } from '../../decode/genesis-fields.ts'
import type { Effect, IbcEffect } from '../../types/effects.ts'

const TENDERMINT = '/ibc.lightclients.tendermint.v1.ClientState'

/** The chain's way to itself: it makes no rows when a chain creates it, so none here. */
const LOCAL = new Set(['09-localhost', 'connection-localhost'])

export function listIbcState(section: unknown): Effect[] {
  const ibc = asFields(section, 'ibc')
  return [
    ...listAll(ibc, 'client_genesis', 'clients', listClient),
    ...listAll(ibc, 'connection_genesis', 'connections', listConnection),
    ...listAll(ibc, 'channel_genesis', 'channels', listChannel),
  ]
}

function listAll(ibc: Fields, part: string, key: string, list: (entry: Fields, path: string) => Effect[]): Effect[] {
  const entries = asList(asFields(ibc[part], `ibc.${part}`)[key], `ibc.${part}.${key}`)
  return entries.flatMap((entry, i) => list(asFields(entry, `ibc.${key}[${i}]`), `ibc.${key}[${i}]`))
}

function listClient(entry: Fields, path: string): Effect[] {
  const clientId = asText(entry.client_id, `${path}.client_id`)
  if (clientId === '' || LOCAL.has(clientId)) return []
  // An id is the type of the client and a number.
  const type = clientId.replace(/-\d+$/, '')
  return [{ kind: 'ibc-client', clientId, type, creator: null, ...describeState(entry.client_state, `${path}.client_state`) }]
}

type ClientState = Omit<Extract<IbcEffect, { kind: 'ibc-client' }>, 'kind' | 'clientId' | 'type' | 'creator'>

/** Clients of other kinds tell none of this. */
function describeState(value: unknown, path: string): ClientState {
  const given = asFields(value, path)
  const state = given['@type'] === TENDERMINT ? given : {}
  const part = (key: string) => asFields(state[key], `${path}.${key}`)
  const number = (key: string, field: string) => asInteger(part(key)[field], `${path}.${key}.${field}`)
  return {
    chainId: asText(state.chain_id, `${path}.chain_id`),
    latestRevisionNumber: number('latest_height', 'revision_number'),
    latestRevisionHeight: number('latest_height', 'revision_height'),
    frozenRevisionNumber: number('frozen_height', 'revision_number'),
    frozenRevisionHeight: number('frozen_height', 'revision_height'),
    trustingPeriodNs: asNanos(state.trusting_period, `${path}.trusting_period`),
    unbondingPeriodNs: asNanos(state.unbonding_period, `${path}.unbonding_period`),
    maxClockDriftNs: asNanos(state.max_clock_drift, `${path}.max_clock_drift`),
    trustLevelNumerator: number('trust_level', 'numerator'),
    trustLevelDenominator: number('trust_level', 'denominator'),
  }
}

function listConnection(entry: Fields, path: string): Effect[] {
  const connectionId = asText(entry.id, `${path}.id`)
  if (connectionId === '' || LOCAL.has(connectionId)) return []
  const counterparty = asFields(entry.counterparty, `${path}.counterparty`)
  const counterpartyConnectionId = asText(counterparty.connection_id, `${path}.counterparty.connection_id`)
  const effects: Effect[] = [
    {
      kind: 'ibc-connection',
      connectionId,
      clientId: asText(entry.client_id, `${path}.client_id`),
      counterpartyClientId: asText(counterparty.client_id, `${path}.counterparty.client_id`),
      counterpartyConnectionId,
    },
  ]
  if (entry.state === 'STATE_OPEN') effects.push({ kind: 'ibc-connection-open', connectionId, counterpartyConnectionId })
  return effects
}

/** A channel that is being upgraded still carries packets. */
const OPEN_STATES = new Set<unknown>(['STATE_OPEN', 'STATE_FLUSHING', 'STATE_FLUSHCOMPLETE'])

function listChannel(entry: Fields, path: string): Effect[] {
  const channelId = asText(entry.channel_id, `${path}.channel_id`)
  if (channelId === '') return []
  const portId = asText(entry.port_id, `${path}.port_id`)
  const counterparty = asFields(entry.counterparty, `${path}.counterparty`)
  const counterpartyChannelId = asText(counterparty.channel_id, `${path}.counterparty.channel_id`)
  const hops = asList(entry.connection_hops, `${path}.connection_hops`)
  const effects: Effect[] = [
    {
      kind: 'ibc-channel',
      channelId,
      portId,
      connectionId: asText(hops[0], `${path}.connection_hops[0]`),
      counterpartyPortId: asText(counterparty.port_id, `${path}.counterparty.port_id`),
      counterpartyChannelId,
      version: asText(entry.version, `${path}.version`),
      ordered: entry.ordering === 'ORDER_ORDERED',
      creator: null,
    },
  ]
  if (OPEN_STATES.has(entry.state)) effects.push({ kind: 'ibc-channel-open', channelId, portId, counterpartyChannelId })
  if (entry.state === 'STATE_CLOSED') effects.push({ kind: 'ibc-channel-close', channelId, portId })
  return effects
}
