import type { EffectOf, HyperlaneEffect } from '../../types/effects.ts'
import { hlIgpConfigTable, hlIgpTable, hlMailboxTable, hlTokenTable } from '../state/hyperlane-tables.ts'
import type { State } from '../state/state.ts'
import type { BlockInput, FamilyOf } from './family.ts'
import { accountIdOrNull, nextNumber, numbered, txIdOf } from './row-ids.ts'

/** Mailboxes, tokens, gas paymasters and the transfers between chains. */
export function createHyperlaneFamily(state: State): FamilyOf<HyperlaneEffect> {
  const mailboxes = state.table(hlMailboxTable)
  const tokens = state.table(hlTokenTable)
  const igps = state.table(hlIgpTable)
  const igpConfigs = state.table(hlIgpConfigTable)

  const createMailbox = (input: BlockInput, effect: EffectOf<'hl-mailbox'>) => {
    if (mailboxes.get(effect.mailbox)) return
    mailboxes.insert({
      mailbox: effect.mailbox,
      number: nextNumber(mailboxes),
      owner_id: accountIdOrNull(input, effect.owner),
      default_ism: effect.defaultIsm,
      default_hook: effect.defaultHook,
      required_hook: effect.requiredHook,
      domain: effect.localDomain,
      sent_messages: effect.past?.sent ?? 0,
      received_messages: effect.past?.received ?? 0,
      tx_id: txIdOf(input, effect),
      height: input.height,
      time: input.time,
    })
  }

  const setMailbox = (input: BlockInput, effect: EffectOf<'hl-mailbox-set'>) => {
    const mailbox = mailboxes.edit(effect.mailbox)
    if (!mailbox) return
    if (effect.owner !== undefined) mailbox.owner_id = accountIdOrNull(input, effect.owner)
    if (effect.defaultIsm !== undefined) mailbox.default_ism = effect.defaultIsm
    if (effect.defaultHook !== undefined) mailbox.default_hook = effect.defaultHook
    if (effect.requiredHook !== undefined) mailbox.required_hook = effect.requiredHook
  }

  const createToken = (input: BlockInput, effect: EffectOf<'hl-token'>) => {
    if (tokens.get(effect.token)) return
    tokens.insert({
      token_id: effect.token,
      number: nextNumber(tokens),
      mailbox: effect.mailbox,
      type: effect.type,
      denom: effect.denom,
      owner_id: accountIdOrNull(input, effect.owner),
      sent: 0n,
      received: 0n,
      sent_transfers: 0,
      received_transfers: 0,
      tx_id: txIdOf(input, effect),
      height: input.height,
      time: input.time,
    })
  }

  const transfer = (input: BlockInput, effect: EffectOf<'hl-transfer'>) => {
    const token = tokens.edit(effect.token)
    const mailbox = mailboxes.edit(effect.mailbox)
    if (effect.direction === 'send') {
      if (token) {
        token.sent += effect.amount
        token.sent_transfers++
      }
      if (mailbox) mailbox.sent_messages++
    } else {
      if (token) {
        token.received += effect.amount
        token.received_transfers++
      }
      if (mailbox) mailbox.received_messages++
    }
    input.rows.row('hl_transfer', {
      ...numbered(input, 'hl_transfer'),
      tx_id: txIdOf(input, effect),
      direction: effect.direction,
      mailbox: effect.mailbox,
      token_id: effect.token,
      domain: effect.domain,
      counterparty: effect.counterparty,
      address_id: accountIdOrNull(input, effect.address),
      relayer_id: accountIdOrNull(input, effect.relayer),
      amount: effect.amount,
      denom: effect.denom,
      version: effect.version,
      nonce: effect.nonce,
      body: effect.body,
      metadata: effect.metadata,
      message_id: effect.messageId,
    })
  }

  const configureIgp = (effect: EffectOf<'hl-igp-config'>) => {
    const config = {
      igp_id: effect.igp,
      remote_domain: effect.remoteDomain,
      gas_overhead: effect.gasOverhead,
      gas_price: effect.gasPrice,
      token_exchange_rate: effect.tokenExchangeRate,
    }
    const known = igpConfigs.edit(effect.igp, effect.remoteDomain)
    if (known) Object.assign(known, config)
    else igpConfigs.insert(config)
  }

  const payGas = (input: BlockInput, effect: EffectOf<'hl-gas-payment'>) =>
    input.rows.row('hl_gas_payment', {
      ...numbered(input, 'hl_gas_payment'),
      tx_id: txIdOf(input, effect),
      igp_id: effect.igp,
      message_id: effect.messageId,
      domain: effect.destination,
      gas_amount: effect.gasAmount,
      amount: effect.amount,
      denom: effect.denom,
    })

  const createIgp = (input: BlockInput, effect: EffectOf<'hl-igp'>) => {
    if (igps.get(effect.igp)) return
    igps.insert({
      igp_id: effect.igp,
      number: nextNumber(igps),
      owner_id: accountIdOrNull(input, effect.owner),
      denom: effect.denom,
      height: input.height,
      time: input.time,
    })
  }

  return {
    effects: {
      'hl-mailbox': createMailbox,
      'hl-mailbox-set': setMailbox,
      'hl-token': createToken,
      'hl-token-set': (input, effect) => {
        const token = effect.owner === undefined ? undefined : tokens.edit(effect.token)
        if (token) token.owner_id = accountIdOrNull(input, effect.owner ?? null)
      },
      'hl-transfer': transfer,
      'hl-igp': createIgp,
      'hl-igp-set': (input, effect) => {
        const igp = igps.edit(effect.igp)
        if (igp) igp.owner_id = accountIdOrNull(input, effect.owner)
      },
      'hl-igp-config': (_input, effect) => configureIgp(effect),
      'hl-gas-payment': payGas,
    },
  }
}
