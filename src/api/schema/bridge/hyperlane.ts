import { Type } from 'typebox'
import { ShortAddress } from '../address.ts'
import { ChainMetadata } from '../chain-metadata.ts'
import { HLTokenType, HLTransferType } from '../enums.ts'
import { Base64, Decimal, HexLower, Integer, Maybe, Model, Text, Time } from '../values.ts'

export const HyperlaneCounterparty = Model('HyperlaneCounterparty', {
  hash: Text,
  domain: Maybe(Integer),
  chain_metadata: ChainMetadata,
})

export const HyperlaneRemoteDomain = Model('HyperlaneRemoteDomain', {
  remote_domain: Integer,
  chain_metadata: ChainMetadata,
})

export const HyperlaneIgpConfig = Model('HyperlaneIgpConfig', {
  gas_overhead: Decimal,
  gas_price: Decimal,
  token_exchange_rate: Text,
  counterparty: HyperlaneRemoteDomain,
})

export const HyperlaneIgp = Model('HyperlaneIgp', {
  id: Integer,
  height: Integer,
  time: Time,
  denom: Text,
  igp_id: HexLower,
  owner: Maybe(ShortAddress),
  configs: Maybe(Type.Array(HyperlaneIgpConfig)),
})

export const HyperlaneMailbox = Model('HyperlaneMailbox', {
  id: Integer,
  hyperlane_id: Integer,
  height: Integer,
  time: Time,
  tx_hash: Maybe(HexLower),
  mailbox: HexLower,
  default_ism: Maybe(HexLower),
  default_hook: Maybe(HexLower),
  required_hook: Maybe(HexLower),
  domain: Maybe(Integer),
  sent_messages: Integer,
  received_messages: Integer,
  owner: Maybe(ShortAddress),
})

export const HyperlaneToken = Model('HyperlaneToken', {
  id: Integer,
  height: Integer,
  time: Time,
  mailbox: HexLower,
  tx_hash: Maybe(HexLower),
  type: HLTokenType,
  denom: Text,
  token_id: HexLower,
  sent_transfers: Integer,
  received_transfers: Integer,
  sent: Decimal,
  received: Decimal,
  owner: Maybe(ShortAddress),
})

export const GasPayment = Model('GasPayment', {
  amount: Decimal,
  gas_amount: Decimal,
  igp_id: HexLower,
})

export const HyperlaneTransfer = Model('HyperlaneTransfer', {
  id: Integer,
  height: Integer,
  time: Time,
  tx_hash: Maybe(HexLower),
  mailbox: HexLower,
  token_id: HexLower,
  type: HLTransferType,
  version: Integer,
  nonce: Integer,
  body: Maybe(Base64),
  metadata: Maybe(Base64),
  received: Decimal,
  denom: Text,
  address: Maybe(ShortAddress),
  relayer: Maybe(ShortAddress),
  gas_payment: Maybe(GasPayment),
  counterparty: HyperlaneCounterparty,
})
