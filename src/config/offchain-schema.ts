import { type Static, Type } from 'typebox'

const source = (intervalSeconds: number, description: string) =>
  Type.Object(
    {
      enabled: Type.Boolean({ default: true, description: 'switch; a source without file and url is always off' }),
      file: Type.Optional(Type.String({ description: 'read from this file' })),
      url: Type.Optional(Type.String({ pattern: '^https?://', description: 'fetch from this address' })),
      interval_seconds: Type.Number({
        minimum: 1,
        maximum: 604_800,
        default: intervalSeconds,
        description: 'polling interval',
      }),
      timeout_ms: Type.Integer({ minimum: 100, maximum: 120_000, default: 10_000, description: 'timeout of a request' }),
      max_bytes: Type.Integer({
        minimum: 1024,
        default: 16_777_216,
        description: 'largest answer or file that is accepted',
      }),
    },
    { default: {}, additionalProperties: false, description },
  )

/** Data that is not on the chain. Each source has its own switch, table and age; none of them can hold up the index. */
export const OffchainSchema = Type.Object(
  {
    price: source(60, 'candles of one minute of the native token: a JSON array of {time, open, high, low, close}'),
    names: source(60, 'names of accounts: the changes protocol of a celestials resolver (url: its base address)'),
    rollups: source(3600, 'rollups and their metadata, as `astrolabe rollups load` reads them'),
    relayers: source(86_400, 'IBC relayers: a JSON array of {name, logo, contact, addresses}'),
    hyperlane: source(86_400, 'chains of the Hyperlane registry: a JSON object of {domainId, displayName, ...}'),
  },
  { default: {}, additionalProperties: false, description: 'off-chain data of a network' },
)

export type OffchainConfig = Static<typeof OffchainSchema>
export type SourceConfig = OffchainConfig['price']
