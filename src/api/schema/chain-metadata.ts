import { Type } from 'typebox'
import { Integer, Maybe, Model, Text } from './values.ts'

export const BlockExplorer = Model('BlockExplorer', {
  api_url: Text,
  family: Text,
  name: Text,
  url: Text,
})

export const NativeToken = Model('NativeToken', {
  decimals: Integer,
  name: Text,
  symbol: Text,
})

export const ChainMetadata = Model('ChainMetadata', {
  name: Text,
  block_explorers: Maybe(Type.Array(BlockExplorer)),
  native_token: NativeToken,
})

export const DomainMetadata = Model('DomainMetadata', {
  domain: Maybe(Integer),
  name: Maybe(Text),
  block_explorers: Type.Array(BlockExplorer),
  native_token: NativeToken,
})
