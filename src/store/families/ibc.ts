import type { EffectOf, IbcEffect } from '../../types/effects.ts'
import { clientRecoveryTable, ibcChannelTable, ibcClientTable, ibcConnectionTable } from '../state/ibc-tables.ts'
import type { State } from '../state/state.ts'
import { NATIVE_DENOM } from './accounts.ts'
import type { BlockInput, FamilyOf } from './family.ts'
import { accountIdOrNull, numbered, txIdOf } from './row-ids.ts'

type OwnEffect = IbcEffect | EffectOf<'submit-proposal' | 'end-proposal' | 'remove-proposal'>

/** Order among their kind: `07-tendermint-12` is 12, `channel-0` is 0; ids without a number (localhost) come first. */
const numberOf = (id: string): number => {
  const digits = /(\d{1,15})$/.exec(id)?.[1]
  return digits === undefined ? 0 : Number(digits)
}

/** Clients, connections, channels and the transfers over them. */
export function createIbcFamily(state: State): FamilyOf<OwnEffect> {
  const clients = state.table(ibcClientTable)
  const connections = state.table(ibcConnectionTable)
  const channels = state.table(ibcChannelTable)
  const recoveries = state.table(clientRecoveryTable)

  const createClient = (input: BlockInput, effect: EffectOf<'ibc-client'>) => {
    if (clients.get(effect.clientId)) return
    clients.insert({
      client_id: effect.clientId,
      number: numberOf(effect.clientId),
      type: effect.type,
      chain_id: effect.chainId,
      creator_id: accountIdOrNull(input, effect.creator),
      tx_id: txIdOf(input, effect),
      height: input.height,
      created_at: input.time,
      updated_at: input.time,
      latest_revision_number: effect.latestRevisionNumber,
      latest_revision_height: effect.latestRevisionHeight,
      frozen_revision_number: effect.frozenRevisionNumber,
      frozen_revision_height: effect.frozenRevisionHeight,
      trusting_period: effect.trustingPeriodNs,
      unbonding_period: effect.unbondingPeriodNs,
      max_clock_drift: effect.maxClockDriftNs,
      trust_level_numerator: effect.trustLevelNumerator,
      trust_level_denominator: effect.trustLevelDenominator,
      connection_count: 0,
    })
    state.head.edit('true')!.total_ibc_clients++
  }

  const updateClient = (input: BlockInput, effect: EffectOf<'ibc-client-update'>) => {
    const client = clients.edit(effect.clientId)
    if (!client) return
    client.updated_at = input.time
    if (effect.chainId !== undefined && effect.chainId !== '') client.chain_id = effect.chainId
    // A relayer may bring an older header: the client stays at the newest.
    const isNewer =
      effect.revisionNumber > client.latest_revision_number ||
      (effect.revisionNumber === client.latest_revision_number && effect.revisionHeight > client.latest_revision_height)
    if (!isNewer) return
    client.latest_revision_number = effect.revisionNumber
    client.latest_revision_height = effect.revisionHeight
  }

  const freezeClient = (input: BlockInput, effect: EffectOf<'ibc-client-freeze'>) => {
    const client = clients.edit(effect.clientId)
    if (!client) return
    client.updated_at = input.time
    client.frozen_revision_number = effect.revisionNumber
    client.frozen_revision_height = effect.revisionHeight
  }

  /** The chain's own parameters come from the counterparty; how long to trust it was the relayer's choice and shrinks in proportion. */
  const upgradeClient = (effect: EffectOf<'ibc-client-upgrade'>) => {
    const client = clients.edit(effect.clientId)
    if (!client) return
    const { unbondingPeriodNs } = effect
    if (unbondingPeriodNs < client.unbonding_period)
      client.trusting_period = (client.trusting_period * unbondingPeriodNs) / client.unbonding_period
    client.chain_id = effect.chainId
    client.unbonding_period = unbondingPeriodNs
  }

  const recoverClient = (input: BlockInput, effect: EffectOf<'ibc-client-recover'>) => {
    const client = clients.edit(effect.clientId)
    if (!client) return
    client.updated_at = input.time
    client.frozen_revision_number = 0n
    client.frozen_revision_height = 0n
    client.latest_revision_number = effect.revisionNumber ?? client.latest_revision_number
    client.latest_revision_height = effect.revisionHeight ?? client.latest_revision_height
    const substitute = effect.substituteId === undefined ? undefined : clients.get(effect.substituteId)
    if (!substitute) return
    client.chain_id = substitute.chain_id
    client.trusting_period = substitute.trusting_period
    client.latest_revision_number = substitute.latest_revision_number
    client.latest_revision_height = substitute.latest_revision_height
  }

  const keepRecoveries = ({ id, recoveries: asked = [] }: EffectOf<'submit-proposal'>) => {
    for (const { clientId, substituteId } of asked) {
      if (recoveries.get(id, clientId)) continue
      recoveries.insert({ proposal_id: id, client_id: clientId, substitute_id: substituteId })
    }
  }

  const settleRecoveries = (input: BlockInput, id: number, passed: boolean) => {
    const asked = recoveries.inGroup('proposal', String(id)).sort((a, b) => (a.client_id < b.client_id ? -1 : 1))
    for (const { client_id: clientId, substitute_id: substituteId } of asked) {
      if (passed) recoverClient(input, { kind: 'ibc-client-recover', clientId, substituteId })
      recoveries.remove(id, clientId)
    }
  }

  const createConnection = (input: BlockInput, effect: EffectOf<'ibc-connection'>) => {
    if (connections.get(effect.connectionId)) return
    connections.insert({
      connection_id: effect.connectionId,
      number: numberOf(effect.connectionId),
      client_id: effect.clientId,
      counterparty_client_id: effect.counterpartyClientId,
      counterparty_connection_id: effect.counterpartyConnectionId,
      created_tx_id: txIdOf(input, effect),
      height: input.height,
      created_at: input.time,
      connected_tx_id: null,
      connected_height: null,
      connected_at: null,
      channels_count: 0,
    })
  }

  const openConnection = (input: BlockInput, effect: EffectOf<'ibc-connection-open'>) => {
    const connection = connections.edit(effect.connectionId)
    if (!connection) return
    connection.connected_tx_id = txIdOf(input, effect)
    connection.connected_height = input.height
    connection.connected_at = input.time
    if (effect.counterpartyConnectionId !== '') connection.counterparty_connection_id = effect.counterpartyConnectionId
    const client = clients.edit(connection.client_id)
    if (client) client.connection_count++
  }

  const createChannel = (input: BlockInput, effect: EffectOf<'ibc-channel'>) => {
    if (channels.get(effect.portId, effect.channelId)) return
    const connection = connections.edit(effect.connectionId)
    if (connection) connection.channels_count++
    channels.insert({
      port_id: effect.portId,
      channel_id: effect.channelId,
      number: numberOf(effect.channelId),
      connection_id: effect.connectionId,
      client_id: connection?.client_id ?? null,
      counterparty_port_id: effect.counterpartyPortId,
      counterparty_channel_id: effect.counterpartyChannelId,
      version: effect.version,
      ordered: effect.ordered,
      status: 'initialization',
      creator_id: accountIdOrNull(input, effect.creator),
      created_tx_id: txIdOf(input, effect),
      height: input.height,
      created_at: input.time,
      confirmation_tx_id: null,
      confirmation_height: null,
      confirmed_at: null,
      sent: 0n,
      received: 0n,
      transfers_count: 0,
    })
  }

  const openChannel = (input: BlockInput, effect: EffectOf<'ibc-channel-open'>) => {
    const channel = channels.edit(effect.portId, effect.channelId)
    if (!channel) return
    channel.status = 'opened'
    channel.confirmation_tx_id = txIdOf(input, effect)
    channel.confirmation_height = input.height
    channel.confirmed_at = input.time
    if (effect.counterpartyChannelId !== '') channel.counterparty_channel_id = effect.counterpartyChannelId
    if (effect.version !== undefined) channel.version = effect.version
  }

  const transfer = (input: BlockInput, effect: EffectOf<'ibc-transfer'>) => {
    const channel = channels.edit(effect.portId, effect.channelId)
    if (channel) {
      channel.transfers_count++
      // Only utia can be summed: other denominations are of unlike value.
      if (effect.denom === NATIVE_DENOM) {
        if (effect.direction === 'in') channel.received += effect.amount
        else channel.sent += effect.amount
      }
    }
    const clientId = connections.get(effect.connectionId)?.client_id ?? channel?.client_id
    const chainId = clientId ? (clients.get(clientId)?.chain_id ?? '') : ''
    input.rows.row('ibc_transfer', {
      ...numbered(input, 'ibc_transfer'),
      tx_id: txIdOf(input, effect),
      direction: effect.direction,
      channel_id: effect.channelId,
      port_id: effect.portId,
      connection_id: effect.connectionId,
      chain_id: chainId,
      amount: effect.amount,
      denom: effect.denom,
      memo: effect.memo,
      sender_id: accountIdOrNull(input, effect.sender),
      sender: effect.senderText,
      receiver_id: accountIdOrNull(input, effect.receiver),
      receiver: effect.receiverText,
      timeout: effect.timeout,
      timeout_height: effect.timeoutHeight,
      sequence: effect.sequence,
      relayer_id: relayerOf(input, effect.tx),
    })
  }

  return {
    effects: {
      'ibc-client': createClient,
      'ibc-client-update': updateClient,
      'ibc-client-freeze': freezeClient,
      'ibc-client-upgrade': (_input, effect) => upgradeClient(effect),
      'ibc-client-recover': recoverClient,
      'submit-proposal': (_input, effect) => keepRecoveries(effect),
      'end-proposal': (input, { id, result }) => {
        if (result !== 'expedited-rejected') settleRecoveries(input, id, result === 'passed')
      },
      'remove-proposal': (input, { id }) => settleRecoveries(input, id, false),
      'ibc-connection': createConnection,
      'ibc-connection-open': openConnection,
      'ibc-channel': createChannel,
      'ibc-channel-open': openChannel,
      'ibc-channel-upgrade': (_input, { portId, channelId, version, ordered }) => {
        const channel = channels.edit(portId, channelId)
        if (channel) Object.assign(channel, { version, ordered })
      },
      'ibc-channel-close': (_input, { portId, channelId }) => {
        const channel = channels.edit(portId, channelId)
        if (channel) channel.status = 'closed'
      },
      'ibc-transfer': transfer,
    },
  }
}

function relayerOf({ block, addressIds }: BlockInput, tx: number | undefined): number | null {
  const signer = tx === undefined ? undefined : block.txs[tx]?.signers[0]
  return signer === undefined ? null : (addressIds[signer] ?? null)
}
