import { type Dataset, HEIGHT, placeId, TIME } from './dataset.ts'

const TX_ID = ['int64?', 'transaction (txs.id); null for what the chain did by itself'] as const
const DIRECTION = ['text', 'in: received on this chain; out: sent to another one'] as const
const AMOUNT = ['digits', 'amount in the smallest unit of the denomination'] as const
const RELAYER = ['address?', 'account that relayed it (accounts.address)'] as const

export const ibcTransfers: Dataset = {
  name: 'ibc_transfers',
  about: 'tokens that came or left over IBC',
  columns: {
    height: HEIGHT,
    id: placeId('transfer'),
    time: TIME,
    tx_id: TX_ID,
    direction: DIRECTION,
    channel_id: ['text', 'channel on this chain'],
    port_id: ['text', 'port on this chain'],
    connection_id: ['text', 'connection of the channel'],
    chain_id: ['text', 'chain at the other end, as the light client names it'],
    amount: AMOUNT,
    denom: ['text', 'denomination as the packet names it'],
    memo: ['text?', 'memo of the packet'],
    sender_account: ['address?', 'sender, where it is an account of this chain (accounts.address)'],
    sender: ['text', 'sender as the packet names it'],
    receiver_account: ['address?', 'receiver, where it is an account of this chain (accounts.address)'],
    receiver: ['text', 'receiver as the packet names it'],
    sequence: ['decimal', 'number of the packet in its channel'],
    timeout: ['time?', 'time after which the packet is not taken any more'],
    timeout_height: ['decimal', 'height of the other chain after which the packet is not taken any more; 0 is none'],
    relayer: RELAYER,
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.tx_id, x.direction, x.channel_id, x.port_id, x.connection_id, x.chain_id, x.amount, x.denom,
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
    height: HEIGHT,
    id: placeId('transfer'),
    time: TIME,
    tx_id: TX_ID,
    direction: DIRECTION,
    mailbox: ['text', 'mailbox on this chain'],
    token_id: ['text', 'warp token on this chain'],
    domain: ['int64', 'domain of the other chain'],
    counterparty: ['text', 'sender or receiver on the other chain'],
    account: ['address?', 'sender or receiver on this chain (accounts.address)'],
    relayer: RELAYER,
    amount: AMOUNT,
    denom: ['text', 'denomination on this chain'],
    nonce: ['int64', 'number of the message in its mailbox of origin'],
    message_id: ['text', 'id of the Hyperlane message, the same on both chains'],
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.tx_id, x.direction, x.mailbox, x.token_id, x.domain, x.counterparty, a.address as account,
           r.address as relayer, x.amount, x.denom, x.nonce, x.message_id
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
    height: HEIGHT,
    id: placeId('forwarding'),
    time: TIME,
    tx_id: TX_ID,
    account: ['address', 'forwarding account (accounts.address)'],
    dest_domain: ['int64', 'domain of the chain that it went to'],
    dest_recipient: ['text', 'receiver on that chain'],
    token_id: ['text', 'warp token on this chain'],
    amount: AMOUNT,
    denom: ['text', 'denomination on this chain'],
    message_id: ['text', 'id of the Hyperlane message (hyperlane_transfers.message_id)'],
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.tx_id, a.address as account, x.dest_domain, x.dest_recipient, x.token_id, x.amount, x.denom,
           x.message_id
    from forwarding x
    join address a on a.id = x.address_id
    where x.height between ${from} and ${to}
    order by x.height, x.id`,
}
