import { Type } from 'typebox'
import { IbcTransfer } from './bridge/ibc.ts'
import { ChainMetadata } from './chain-metadata.ts'
import { MessageType } from './enums.ts'
import { Decimal, Integer, Maybe, Model, Real, Text, Time } from './values.ts'

export const SeriesItem = Model('SeriesItem', {
  time: Time,
  value: Decimal,
  max: Maybe(Decimal),
  min: Maybe(Decimal),
})

/** By name of the series. */
export const SeriesTogether = Type.Record(Type.String(), Type.Array(SeriesItem))

export const HistogramItem = Model('HistogramItem', {
  time: Time,
  value: Decimal,
})

export const DistributionItem = Model('DistributionItem', {
  name: Text,
  value: Decimal,
})

export const TimeValueItem = Model('TimeValueItem', {
  time: Time,
  value: Decimal,
})

export const CountItem = Model('CountItem', {
  name: MessageType,
  value: Integer,
})

export const SizeGroup = Model('SizeGroup', {
  name: Text,
  count: Integer,
  size: Integer,
  avg_size: Integer,
})

export const SquareSizeResponse = Type.Record(Type.String(), Type.Array(TimeValueItem))

export const StakingDistributionItem = Model('StakingDistributionItem', {
  time: Time,
  value: Decimal,
  percent: Decimal,
})

export const StakingDistribution = Type.Record(Type.String(), Type.Array(StakingDistributionItem))

export const TPS = Model('TPS', {
  high: Real,
  low: Real,
  current: Real,
  change_last_hour_pct: Real,
})

export const Change24hBlockStats = Model('Change24hBlockStats', {
  tx_count_24h: Real,
  fee_24h: Real,
  bytes_in_block_24h: Real,
  blobs_size_24h: Real,
})

export const Price = Model('Price', {
  time: Time,
  open: Decimal,
  high: Decimal,
  low: Decimal,
  close: Decimal,
})

export const IbcChainStats = Model('IbcChainStats', {
  chain: Text,
  sent: Decimal,
  received: Decimal,
  flow: Decimal,
})

export const BusiestChannel = Model('BusiestChannel', {
  channel_id: Text,
  transfers_count: Integer,
  chain_id: Text,
})

export const IbcSummaryStats = Model('IbcSummaryStats', {
  largest_transfer: IbcTransfer,
  busiest_channel: BusiestChannel,
})

export const HlDomainStats = Model('HlDomainStats', {
  domain_id: Integer,
  amount: Decimal,
  transfers_count: Integer,
  chain_metadata: ChainMetadata,
})
