/** Light clients and connections. Only Tendermint clients tell their chain and periods; others get a row with their type alone. */
import type { Any, Duration } from '@bufbuild/protobuf/wkt'
import {
  MsgCreateClientSchema,
  MsgIBCSoftwareUpgradeSchema,
  MsgRecoverClientSchema,
  MsgSubmitMisbehaviourSchema,
  MsgUpdateClientSchema,
  MsgUpdateParamsSchema,
  MsgUpgradeClientSchema,
  ParamsSchema,
} from '../../decode/gen/ibc/core/client/v1/types_pb.ts'
import {
  ParamsSchema as ConnectionParamsSchema,
  MsgConnectionOpenAckSchema,
  MsgConnectionOpenConfirmSchema,
  MsgConnectionOpenInitSchema,
  MsgConnectionOpenTrySchema,
  MsgUpdateParamsSchema as MsgUpdateConnectionParamsSchema,
} from '../../decode/gen/ibc/core/connection/v1/types_pb.ts'
import { type ClientState, ClientStateSchema } from '../../decode/gen/ibc/lightclients/tendermint/v1/types_pb.ts'
import { durationNanos } from '../../decode/scalar-text.ts'
import type { AnyMessage } from '../../decode/tx.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { WireError, WireReader } from '../../lib/encoding/protowire.ts'
import type { Effect, IbcEffect } from '../../types/effects.ts'
import { attributeOf, findEvent } from '../attributes.ts'
import { parseHeights } from '../event/ibc.ts'
import { handler, type MessageScope, type MessageTable, readAs, signedBy } from './handler.ts'
import { updateIbcParams } from './update-params.ts'

export const ibcClientMessages: MessageTable = {
  '/ibc.core.client.v1.MsgCreateClient': handler(MsgCreateClientSchema, (msg) => ({
    signers: [msg.signer],
    links: [['signer', msg.signer]],
    effects: (scope) => createClient(scope, msg.signer, msg.clientState),
  })),
  '/ibc.core.client.v1.MsgUpdateClient': handler(MsgUpdateClientSchema, (msg) => ({
    signers: [msg.signer],
    links: [['signer', msg.signer]],
    effects: (scope) => updateClient(scope, msg.clientMessage),
  })),
  '/ibc.core.client.v1.MsgUpgradeClient': handler(MsgUpgradeClientSchema, (msg) => ({
    signers: [msg.signer],
    links: [['signer', msg.signer]],
    effects: () => upgradeClient(msg.clientId, msg.clientState),
  })),
  '/ibc.core.client.v1.MsgSubmitMisbehaviour': signedBy(MsgSubmitMisbehaviourSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.client.v1.MsgRecoverClient': handler(MsgRecoverClientSchema, (msg) => ({
    signers: [msg.signer],
    links: [['signer', msg.signer]],
    recovery: { clientId: msg.subjectClientId, substituteId: msg.substituteClientId },
    effects: () => [{ kind: 'ibc-client-recover', clientId: msg.subjectClientId, substituteId: msg.substituteClientId }],
  })),
  '/ibc.core.client.v1.MsgIBCSoftwareUpgrade': signedBy(MsgIBCSoftwareUpgradeSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.client.v1.MsgUpdateParams': updateIbcParams('ibc', MsgUpdateParamsSchema, ParamsSchema),
  '/ibc.core.connection.v1.MsgConnectionOpenInit': signedBy(MsgConnectionOpenInitSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.connection.v1.MsgConnectionOpenTry': signedBy(MsgConnectionOpenTrySchema, 'signer', (msg) => msg.signer),
  '/ibc.core.connection.v1.MsgConnectionOpenAck': signedBy(MsgConnectionOpenAckSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.connection.v1.MsgConnectionOpenConfirm': signedBy(MsgConnectionOpenConfirmSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.connection.v1.MsgUpdateParams': updateIbcParams('ibc', MsgUpdateConnectionParamsSchema, ConnectionParamsSchema),
}

function createClient({ events }: MessageScope, signer: string, clientState: Any | undefined): Effect[] {
  const event = findEvent(events, 'create_client')
  const clientId = event && attributeOf(event, 'client_id')
  if (!event || !clientId) return []
  return [
    {
      kind: 'ibc-client',
      clientId,
      type: attributeOf(event, 'client_type') ?? '',
      creator: decodeAccount(signer) ?? null,
      ...describeClient(clientState),
    },
  ]
}

function readClientState(clientState: AnyMessage | undefined): ClientState | undefined {
  return clientState?.typeUrl.endsWith('tendermint.v1.ClientState') ? readAs(ClientStateSchema, clientState.value) : undefined
}

/** Description of a client's state: its chain, heights and periods. */
function describeClient(
  clientState: AnyMessage | undefined,
): Omit<Extract<IbcEffect, { kind: 'ibc-client' }>, 'kind' | 'clientId' | 'type' | 'creator'> {
  const state = readClientState(clientState)
  return {
    chainId: state?.chainId ?? '',
    latestRevisionNumber: state?.latestHeight?.revisionNumber ?? 0n,
    latestRevisionHeight: state?.latestHeight?.revisionHeight ?? 0n,
    frozenRevisionNumber: state?.frozenHeight?.revisionNumber ?? 0n,
    frozenRevisionHeight: state?.frozenHeight?.revisionHeight ?? 0n,
    trustingPeriodNs: toNanos(state?.trustingPeriod),
    unbondingPeriodNs: toNanos(state?.unbondingPeriod),
    maxClockDriftNs: toNanos(state?.maxClockDrift),
    trustLevelNumerator: state?.trustLevel?.numerator ?? 0n,
    trustLevelDenominator: state?.trustLevel?.denominator ?? 0n,
  }
}

function upgradeClient(clientId: string, clientState: AnyMessage | undefined): Effect[] {
  const state = readClientState(clientState)
  if (!state) return []
  return [{ kind: 'ibc-client-upgrade', clientId, chainId: state.chainId, unbondingPeriodNs: toNanos(state.unbondingPeriod) }]
}

function toNanos(duration: Duration | undefined): bigint {
  return duration ? durationNanos(duration) : 0n
}

function updateClient({ events }: MessageScope, header: Any | undefined): Effect[] {
  const event = findEvent(events, 'update_client')
  const clientId = event && attributeOf(event, 'client_id')
  const height = event && parseHeights(attributeOf(event, 'consensus_heights') ?? attributeOf(event, 'consensus_height'))
  if (!clientId || !height) return []
  const chainId = readChainId(header)
  return [{ kind: 'ibc-client-update', clientId, ...height, ...(chainId === undefined ? {} : { chainId }) }]
}

/**
 * Chain id of a header: signed_header (1), header (1), chain_id (2). Walked by hand: the header of a large chain carries hundreds of
 * signatures and validators, and nothing else of it is needed.
 */
function readChainId(header: Any | undefined): string | undefined {
  if (!header?.typeUrl.endsWith('tendermint.v1.Header')) return undefined
  try {
    const signedHeader = readField(header.value, 1)
    const inner = signedHeader && readField(signedHeader, 1)
    const chainId = inner && readField(inner, 2)
    return chainId && new TextDecoder().decode(chainId)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return undefined
  }
}

function readField(bytes: Uint8Array, field: number): Uint8Array | undefined {
  const reader = new WireReader(bytes)
  while (reader.next()) {
    if (reader.field === field) return reader.bytes()
    reader.skip()
  }
  return undefined
}
