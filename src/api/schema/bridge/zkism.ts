import { ShortAddress } from '../address.ts'
import { HexLower, Integer, Maybe, Model, Time } from '../values.ts'

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
