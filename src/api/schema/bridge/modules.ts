import { Type } from 'typebox'
import { ShortAddress } from '../address.ts'
import { ChainMetadata } from '../chain-metadata.ts'
import { Decimal, HexLower, Integer, Maybe, Model, Text, Time } from '../values.ts'

export const ForwardingInput = Model('ForwardingInput', {
  height: Integer,
  time: Time,
  tx_hash: HexLower,
  from: Text,
  received: Decimal,
  denom: Text,
  chain: Maybe(ChainMetadata),
})

export const Forwarding = Model('Forwarding', {
  id: Integer,
  height: Integer,
  time: Time,
  tx_hash: HexLower,
  dest_domain: Integer,
  dest_address: HexLower,
  amount: Decimal,
  denom: Text,
  message_id: Text,
  token_id: HexLower,
  chain: Maybe(ChainMetadata),
  forward_address: Maybe(ShortAddress),
  inputs: Maybe(Type.Array(ForwardingInput)),
})

export const ZkISM = Model('ZkISM', {
  id: Integer,
  external_id: HexLower,
  height: Integer,
  time: Time,
  tx_hash: Maybe(HexLower),
  state: Maybe(HexLower),
  merkle_tree_address: Maybe(HexLower),
  state_transition_vkey: Maybe(HexLower),
  state_membership_vkey: Maybe(HexLower),
  groth16_vkey: Maybe(HexLower),
  creator: Maybe(ShortAddress),
})

export const ZkISMUpdate = Model('ZkISMUpdate', {
  id: Integer,
  height: Integer,
  time: Time,
  tx_hash: Maybe(HexLower),
  new_state: Maybe(HexLower),
  signer: Maybe(ShortAddress),
})

export const ZkISMMessage = Model('ZkISMMessage', {
  id: Integer,
  height: Integer,
  time: Time,
  tx_hash: Maybe(HexLower),
  state_root: Maybe(HexLower),
  message_id: Maybe(HexLower),
  signer: Maybe(ShortAddress),
})
