import { type Static, Type } from 'typebox'
import { host, port } from './listen-schema.ts'

const rate = (value: number, description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, default: value, description })
const burst = (value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000, default: value, description })

const Hex = (description: string) => Type.String({ pattern: '^0x[0-9a-fA-F]+$', description })

/** Groups of operations that can be sold: `basic` has its own form on the paid surface, the others are those of the key surface. */
export const SOLD_GROUPS = [
  'basic',
  'history',
  'statements',
  'proofs',
  'exports',
  'series',
  'rollups',
  'gas',
  'state',
  'blocks',
  'transactions',
  'namespaces',
  'addresses',
  'validators',
  'supply',
  'governance',
  'statistics',
  'ibc',
  'hyperlane',
] as const
export type SoldGroup = (typeof SOLD_GROUPS)[number]

export const SOLD_BY_DEFAULT: SoldGroup[] = ['basic', 'history', 'statements', 'proofs', 'exports', 'series', 'rollups', 'gas']

export const PaidSchema = Type.Object(
  {
    host: host(),
    port: port(9878),
    enabled: Type.Boolean({ default: true, env: 'PAID_ENABLED', description: 'serve the paid surface' }),
    sells: Type.Array(Type.Enum([...SOLD_GROUPS]), {
      minItems: 1,
      default: SOLD_BY_DEFAULT,
      description: 'groups of operations that are sold',
    }),
    base_url: Type.Optional(
      Type.String({ pattern: '^https?://', env: 'PAID_BASE_URL', description: 'public origin, named in offers' }),
    ),
    realm: Type.Optional(Type.String({ description: 'protection realm of the challenges; default: host name of base_url' })),
    ledger_url: Type.Optional(
      Type.String({
        pattern: '^postgres(ql)?://',
        env: 'PAID_LEDGER_URL',
        description: 'database address for the ledger of payments, with its own role; default: that of database.url',
      }),
    ),
    secret_key: Type.Optional(
      Type.String({ minLength: 32, env: 'PAID_SECRET_KEY', description: 'signs the challenges, the same on all replicas' }),
    ),
    previous_secret_key: Type.Optional(
      Type.String({ minLength: 32, env: 'PAID_PREVIOUS_SECRET_KEY', description: 'accepted until its challenges have expired' }),
    ),
    recipient: Type.Optional(
      Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', env: 'PAID_RECIPIENT', description: 'account that receives the money' }),
    ),
    methods: Type.Array(Type.Union([Type.Literal('evm'), Type.Literal('tempo')]), {
      default: ['evm'],
      description: 'payment methods in the order they are offered',
    }),
    evm: Type.Optional(
      Type.Object(
        {
          chain_id: Type.Integer({ minimum: 1, env: 'PAID_EVM_CHAIN_ID', description: 'id of the payment chain' }),
          rpc_url: Type.String({ pattern: '^https?://', env: 'PAID_EVM_RPC_URL', description: 'node of the payment chain' }),
          more_rpc_urls: Type.Array(Type.String({ pattern: '^https?://' }), {
            default: [],
            description: 'further nodes of the payment chain, asked in turn when the first does not answer',
          }),
          token: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', env: 'PAID_EVM_TOKEN', description: 'token with EIP-3009' }),
          token_name: Type.String({ default: 'USDC', description: 'EIP-712 name of the token' }),
          token_version: Type.String({ default: '2', description: 'EIP-712 version of the token' }),
          decimals: Type.Integer({ minimum: 0, maximum: 18, default: 6, description: 'digits of the token' }),
          settler_key: Type.Optional(
            Type.String({
              pattern: '^0x[0-9a-fA-F]{64}$',
              env: 'PAID_SETTLER_KEY',
              description: 'key that pays gas and owns nothing else',
            }),
          ),
          settler_key_file: Type.Optional(
            Type.String({
              env: 'PAID_SETTLER_KEY_FILE',
              description: 'file with that key instead, readable by its owner only: hex, or an encrypted keystore (version 3)',
            }),
          ),
          settler_key_password: Type.Optional(
            Type.String({ env: 'PAID_SETTLER_KEY_PASSWORD', description: 'opens the encrypted keystore' }),
          ),
          facilitator_url: Type.Optional(
            Type.String({
              pattern: '^https?://',
              env: 'PAID_FACILITATOR_URL',
              description: 'x402 facilitator that settles payments and pays their gas, instead of settler_key',
            }),
          ),
          facilitator_token: Type.Optional(
            Type.String({ env: 'PAID_FACILITATOR_TOKEN', description: 'bearer token for the facilitator' }),
          ),
          batch_ms: Type.Integer({
            minimum: 0,
            maximum: 5000,
            default: 0,
            description: 'payments within so many milliseconds settle in one transaction through Multicall3; 0: each has its own',
          }),
          batch_size: Type.Integer({ minimum: 2, maximum: 50, default: 10, description: 'most payments in one transaction' }),
          max_gas: Type.Integer({
            minimum: 50_000,
            maximum: 10_000_000,
            default: 300_000,
            description: 'units of gas that a transfer may take; a payer that is a contract decides how much it does',
          }),
          native_usd: Type.Number({
            minimum: 0,
            maximum: 1_000_000,
            default: 4000,
            description: "price of the chain's own coin in dollars, for max_gas_cost_percent; 0: no ceiling",
          }),
          max_gas_cost_percent: Type.Integer({
            minimum: 1,
            maximum: 1_000_000,
            default: 1000,
            description: 'what gas may cost in percent of the price; above it payments are answered 503',
          }),
        },
        {
          additionalProperties: false,
          description: 'chain that payments are made on; without it `start` uses a local test chain',
        },
      ),
    ),
    tempo: Type.Optional(
      Type.Object(
        {
          chain_id: Type.Integer({ minimum: 1, description: 'id of the payment chain' }),
          rpc_url: Type.String({ pattern: '^https?://', description: 'node of the payment chain' }),
          token: Hex('token'),
          decimals: Type.Integer({ minimum: 0, maximum: 18, default: 6, description: 'digits of the token' }),
        },
        { additionalProperties: false },
      ),
    ),
    challenge_ttl_s: Type.Integer({
      minimum: 15,
      maximum: 3600,
      default: 300,
      description: 'life of an offer; its answer is kept as long for repeated requests',
    }),
    confirm_timeout_ms: Type.Integer({
      minimum: 1000,
      maximum: 60_000,
      default: 15_000,
      description: 'how long a request waits for its payment to be mined; then it gets a 503 and can be retried',
    }),
    poll_ms: Type.Integer({
      minimum: 20,
      maximum: 5000,
      default: 500,
      description: 'polling interval for a payment that is not mined; at most a quarter of the block time',
    }),
    confirmations: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 1,
      description: 'confirmations, counting the block of the payment',
    }),
    watch_blocks: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 64,
      description: 'blocks for which a settled payment is watched, and sent again if the payment chain drops its block',
    }),
    charge_no_content: Type.Boolean({ default: true, description: 'charge a 204 (unknown address) like any other answer' }),
    limits: Type.Object(
      {
        challenges_per_second: rate(20, 'offers to a client that has not paid'),
        challenge_burst: burst(200, 'offers at once'),
        failures_per_minute: rate(20, 'payments of a client that cannot be taken'),
        failure_burst: burst(20, 'such payments at once'),
        unsold_per_minute: rate(120, 'good payments of a client for what is not there; they are not charged'),
        unsold_burst: burst(60, 'such payments at once'),
      },
      {
        default: {},
        additionalProperties: false,
        description: 'per client (IPv4 address or IPv6 /64) and process; sold answers are not limited',
      },
    ),
    contact_email: Type.Optional(Type.String({ description: 'shown in the description of the surface' })),
    docs_url: Type.Optional(Type.String({ pattern: '^https?://', description: 'shown in the description of the surface' })),
  },
  { default: {}, additionalProperties: false, description: 'paid surface (main network)' },
)

export type PaidConfig = Static<typeof PaidSchema>
