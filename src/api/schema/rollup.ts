import { Type } from 'typebox'
import { RollupCategory, RollupType } from './enums.ts'
import { Base64, Bech32, Bool, Decimal, DecimalInteger, InLines, Integer, Maybe, Model, Real, Text, Time } from './values.ts'

export const ShortRollup = Model('ShortRollup', {
  id: Integer,
  name: Text,
  logo: Maybe(Text),
  slug: Text,
})

/** Texts of the registry about a rollup; empty ones are left out. */
const rollupText = {
  id: Integer,
  name: Text,
  description: Maybe(Text),
  website: Maybe(Text),
  twitter: Maybe(Text),
  github: Maybe(Text),
  logo: Maybe(Text),
  slug: Text,
  l2_beat: Maybe(Text),
  defi_lama: Maybe(Text),
  explorer: Maybe(Text),
  bridge: Maybe(Text),
  stack: Maybe(Text),
  type: Maybe(RollupType),
  category: Maybe(RollupCategory),
  provider: Maybe(Text),
  compression: Maybe(Text),
  vm: Maybe(Text),
  settled_on: Maybe(Text),
  color: Maybe(Text),
}

export const Rollup = Model('Rollup', {
  ...rollupText,
  tags: Maybe(Type.Array(Text)),
  links: Maybe(Type.Array(Text)),
})

export const RollupWithStats = Model('RollupWithStats', {
  ...rollupText,
  blobs_count: Integer,
  size: Integer,
  last_message_time: Time,
  first_message_time: Time,
  fee: DecimalInteger,
  size_pct: Real,
  fee_pct: Real,
  blobs_count_pct: Real,
  da_pct: Real,
  is_active: Bool,
  tags: Maybe(Type.Array(Text)),
  links: Maybe(Type.Array(Text)),
})

export const RollupWithDayStats = Model('RollupWithDayStats', {
  ...rollupText,
  avg_size: Integer,
  blobs_count: Integer,
  total_size: Integer,
  throughput: Integer,
  namespace_count: Integer,
  pfb_count: Integer,
  total_fee: Decimal,
  mb_price: Decimal,
  fee_per_pfb: Decimal,
  blobs_per_pfb: Real,
})

export const RollupProvider = Model('RollupProvider', {
  address: Maybe(Bech32),
  namespace: Maybe(Base64),
})

export const RollupGroupedStats = Model('RollupGroupedStats', {
  fee: Real,
  size: Real,
  blobs_count: Integer,
  group: Text,
})

export const RollupAllSeriesItem = Model('RollupAllSeriesItem', {
  name: Maybe(Text),
  logo: Maybe(Text),
  size: Integer,
  fee: Decimal,
  blobs_count: Integer,
})

export const RollupAllSeriesResponse = Model('RollupAllSeriesResponse', {
  time: Time,
  items: InLines(RollupAllSeriesItem),
})

export const RollupStats24h = Model('RollupStats24h', {
  id: Maybe(Integer),
  name: Maybe(Text),
  logo: Maybe(Text),
  size: Integer,
  fee: Real,
  blobs_count: Integer,
})
