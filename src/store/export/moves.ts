import type { Dataset } from './dataset.ts'

export const ibcTransfers: Dataset = {
  name: 'ibc_transfers',
  about: 'tokens that came or left over IBC',
  columns: {
    height: 'int32',
    id: 'int64',
    time: 'time',
    tx_id: 'int64?',
    direction: 'text',
    channel_id: 'text',
    port_id: 'text',
    connection_id: 'text',
    chain_id: 'text',
    amount: 'text',
    denom: 'text',
    memo: 'text?',
    sender_account: 'address?',
    sender: 'text',
    receiver_account: 'address?',
    receiver: 'text',
    sequence: 'decimal',
    timeout: 'time?',
    timeout_height: 'decimal',
    relayer: 'address?',
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.tx_id, x.direction, x.channel_id, x.port_id, x.connection_id, x.chain_id, x.amount::text, x.denom,
           x.memo, s.address as sender_account, x.sender, r.address as receiver_account, x.receiver, x.sequence, x.timeout,
           x.timeout_height, l.address as relayer
    from ibc_transfer x
    left join address s on s.id = x.sender_id
    left join address r on r.id = x.receiver_id
    left join address l on l.id = x.relayer_id
    where x.height between ${from} and ${to}
    order by x.height, x.id`,
}

export const hyperlaneTransfers: Dataset = {
  name: 'hyperlane_transfers',
  about: 'tokens that came or left over Hyperlane',
  columns: {
    height: 'int32',
    id: 'int64',
    time: 'time',
    tx_id: 'int64?',
    direction: 'text',
    mailbox: 'text',
    token_id: 'text',
    domain: 'int64',
    counterparty: 'text',
    account: 'address?',
    relayer: 'address?',
    amount: 'text',
    denom: 'text',
    nonce: 'int64',
    message_id: 'text',
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.tx_id, x.direction, x.mailbox, x.token_id, x.domain, x.counterparty, a.address as account,
           r.address as relayer, x.amount::text, x.denom, x.nonce, x.message_id
    from hl_transfer x
    left join address a on a.id = x.address_id
    left join address r on r.id = x.relayer_id
    where x.height between ${from} and ${to}
    order by x.height, x.id`,
}

export const forwardings: Dataset = {
  name: 'forwardings',
  about: 'tokens that were forwarded to another chain',
  columns: {
    height: 'int32',
    id: 'int64',
    time: 'time',
    tx_id: 'int64?',
    account: 'address',
    dest_domain: 'int64',
    dest_recipient: 'text',
    token_id: 'text',
    amount: 'text',
    denom: 'text',
    message_id: 'text',
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.tx_id, a.address as account, x.dest_domain, x.dest_recipient, x.token_id, x.amount::text, x.denom,
           x.message_id
    from forwarding x
    join address a on a.id = x.address_id
    where x.height between ${from} and ${to}
    order by x.height, x.id`,
}

export const stakeMoves: Dataset = {
  name: 'stake_moves',
  about: 'stake that came to or left a validator',
  columns: {
    height: 'int32',
    id: 'int64',
    time: 'time',
    type: 'text',
    validator_id: 'int32',
    validator_cons_address: 'hex',
    account: 'address?',
    amount: 'fraction',
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.type, x.validator_id, v.cons_address as validator_cons_address, a.address as account, x.amount
    from staking_log x
    join validator v on v.id = x.validator_id
    left join address a on a.id = x.address_id
    where x.height between ${from} and ${to}
    order by x.height, x.id`,
}

export const jails: Dataset = {
  name: 'jails',
  about: 'validators that were jailed, and what they lost',
  columns: {
    height: 'int32',
    id: 'int64',
    time: 'time',
    validator_id: 'int32',
    validator_cons_address: 'hex',
    reason: 'text',
    burned: 'fraction',
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.validator_id, v.cons_address as validator_cons_address, x.reason, x.burned
    from jail x
    join validator v on v.id = x.validator_id
    where x.height between ${from} and ${to}
    order by x.height, x.id`,
}

export const signals: Dataset = {
  name: 'signals',
  about: 'signals of validators for a version of the chain',
  columns: {
    height: 'int32',
    id: 'int64',
    time: 'time',
    tx_id: 'int64?',
    validator_id: 'int32',
    validator_cons_address: 'hex',
    version: 'int64',
    voting_power: 'decimal',
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.tx_id, x.validator_id, v.cons_address as validator_cons_address, x.version, x.voting_power
    from signal_version x
    join validator v on v.id = x.validator_id
    where x.height between ${from} and ${to}
    order by x.height, x.id`,
}
