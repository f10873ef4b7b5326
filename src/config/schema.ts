import { type Static, Type } from 'typebox'
import { AccessSchema, AttributionSchema } from './access-schema.ts'
import { host, port } from './listen-schema.ts'
import { OffchainSchema } from './offchain-schema.ts'
import { PaidSchema } from './paid-schema.ts'
import { WebhooksSchema } from './webhooks-schema.ts'

/** How buckets are reached (`s3://bucket/prefix`), whatever is kept in them. */
const ObjectStorageSchema = Type.Object(
  {
    endpoint: Type.Optional(
      Type.String({
        pattern: '^https?://',
        env: 'AWS_ENDPOINT_URL_S3',
        description: 'address of an S3-compatible service; absent: that of Amazon in the region',
      }),
    ),
    region: Type.String({ default: 'us-east-1', env: 'AWS_REGION', description: 'region of the buckets' }),
    access_key_id: Type.Optional(Type.String({ env: 'AWS_ACCESS_KEY_ID', description: 'who signs the requests' })),
    secret_access_key: Type.Optional(
      Type.String({ env: 'AWS_SECRET_ACCESS_KEY', description: 'signs the requests; better given as the environment variable' }),
    ),
  },
  {
    default: {},
    additionalProperties: false,
    description: 'how buckets are reached wherever a location is `s3://bucket/prefix`',
  },
)

/** Port of health and metrics where none is set. */
export const OBSERVABILITY_PORT = 9879

const POSTGRES = '^postgres(ql)?://'

/**
 * Every setting: type, bounds, default, one sentence. The operations manual is generated from here. A setting with `env` may also be
 * given as that environment variable, which wins over the configuration file (lists: separated by commas).
 */
export const NetworkSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,30}$', description: 'short name; also names the database schema' }),
    kind: Type.Union([Type.Literal('main'), Type.Literal('test')], {
      description: 'plans above the free one and the paid surface are for the main network only',
    }),
    chain_id: Type.Optional(Type.String({ description: 'refuse any other chain; without it the first block decides' })),
    recording: Type.Optional(Type.String({ description: 'folder of a recorded chain to replay' })),
    rpc: Type.Optional(
      Type.Array(Type.String({ format: 'uri' }), { minItems: 1, description: 'consensus node RPC addresses, best first' }),
    ),
    genesis: Type.Optional(
      Type.String({
        description:
          "file with the genesis document to begin with instead of the source's; one that a node exported at a height begins the index there",
      }),
    ),
    from_height: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 2 ** 31 - 2,
        description:
          'first block of an index without the state before it, for nodes that have only recent blocks; they need the block below too. What depends on the state is answered with 409',
      }),
    ),
    generated: Type.Optional(
      Type.Boolean({
        description:
          'a demo chain that `start` generates itself; its node listens at the only address of `rpc`, or at a free port',
      }),
    ),
    listen: Type.Object(
      {
        host: host(),
        port: port(0, 'port of this network; every network has its own base address'),
      },
      { default: {}, additionalProperties: false },
    ),
    public_url: Type.Optional(Type.String({ description: 'public base address, when a proxy is in front' })),
    live_blocks: Type.Optional(
      Type.Integer({ minimum: 0, description: 'recordings only: play this many of the last blocks one by one' }),
    ),
    live_interval_ms: Type.Optional(
      Type.Integer({ minimum: 1, default: 1000, description: 'recordings only: pace of the live blocks' }),
    ),
    database: Type.Optional(
      Type.Object(
        {
          url: Type.String({
            pattern: POSTGRES,
            description: 'PostgreSQL of this network alone; keys and payments stay where `database.url` says',
          }),
          read_url: Type.Optional(Type.String({ pattern: POSTGRES, description: 'its streaming replicas' })),
        },
        { additionalProperties: false },
      ),
    ),
    offchain: OffchainSchema,
  },
  { additionalProperties: false },
)

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent']

export const ConfigSchema = Type.Object(
  {
    name: Type.String({ default: 'astrolabe', description: 'name of this indexer in /v1/head' }),
    database: Type.Object(
      {
        url: Type.Optional(
          Type.String({
            env: 'DATABASE_URL',
            description:
              'PostgreSQL 15 or newer; several hosts separated by commas are a cluster, whose primary is found; without it a bundled server is started on the data directory',
          }),
        ),
        read_url: Type.Optional(
          Type.String({
            env: 'DATABASE_READ_URL',
            description: 'streaming replicas for reads, several hosts separated by commas; the freshest one is used',
          }),
        ),
        max_replica_lag_seconds: Type.Number({
          exclusiveMinimum: 0,
          default: 10,
          env: 'DATABASE_MAX_REPLICA_LAG_SECONDS',
          description: 'a replica that does not show a commit after this time is not read from while the primary answers',
        }),
        read_connections: Type.Integer({
          minimum: 1,
          maximum: 100,
          default: 8,
          env: 'DATABASE_READ_CONNECTIONS',
          description: 'reading connections per network, process and server',
        }),
      },
      { default: {}, additionalProperties: false },
    ),
    data: Type.String({
      default: '.astrolabe',
      env: 'ASTROLABE_DATA',
      description: 'folder for the bundled database and other local files',
    }),
    object_storage: ObjectStorageSchema,
    storage: Type.Object(
      {
        segments: Type.Optional(
          Type.String({
            env: 'SEGMENTS',
            description:
              'folder or bucket (`s3://bucket/prefix`) that takes events, message values and txs of final heights from the database; the same for `index` and `serve`, another one for each index',
          }),
        ),
        segment_heights: Type.Integer({
          minimum: 1,
          maximum: 100_000,
          default: 1000,
          description: 'heights of a segment; it ends earlier when they hold more than 32 MiB',
        }),
        cache_megabytes: Type.Integer({
          minimum: 1,
          maximum: 65_536,
          default: 64,
          description: 'parts of segments that an API process keeps in memory, per network',
        }),
      },
      { default: {}, additionalProperties: false },
    ),
    log_level: Type.String({
      pattern: `^(${LOG_LEVELS.join('|')})$`,
      default: 'info',
      env: 'LOG_LEVEL',
      description: 'trace, debug, info, warn, error or silent',
    }),
    networks: Type.Array(NetworkSchema, { minItems: 1, description: 'the networks to index and serve' }),
    indexing: Type.Object(
      {
        threads: Type.Integer({
          minimum: 0,
          maximum: 64,
          default: 0,
          env: 'INDEX_THREADS',
          description: 'decode threads; 0 chooses by the number of cores',
        }),
        batch_blocks: Type.Integer({
          minimum: 1,
          maximum: 1000,
          default: 500,
          env: 'INDEX_BATCH_BLOCKS',
          description: 'blocks per transaction while catching up',
        }),
        max_rollback_depth: Type.Integer({
          minimum: 1,
          maximum: 1000,
          default: 100,
          description: 'deepest fork that is rolled back without an operator',
        }),
        verify_commits: Type.Boolean({
          default: true,
          env: 'INDEX_VERIFY_COMMITS',
          description:
            'write only what validators with more than two thirds of the power have signed; false: hashes must fit and a fork needs a second node, for chains whose keys are not known, such as forks of a replay node',
        }),
        data_roots: Type.Union([Type.Literal('background'), Type.Literal('sampled'), Type.Literal('all')], {
          default: 'background',
          env: 'INDEX_DATA_ROOTS',
          description:
            'when the txs of blocks are compared with the data root in the header: at the tip, and for a random hundredth below it, before they are written, and all others afterwards by a thread of the lowest priority (`background`), or not at all (`sampled`); `all`: before they are written',
        }),
        prove_state: Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          default: 8,
          env: 'INDEX_PROVE_STATE',
          description:
            'accounts, delegations and validators of each batch, and of each block at the tip, that are compared with the state which the next header seals, beside those of modules and the supply, which always are; 0: nothing is compared, 1000000: everything that changed',
        }),
        sample_minutes: Type.Number({
          minimum: 0,
          maximum: 10_080,
          default: 10,
          description: 'time between two self-checks of money, stake and the counters of some heights; 0: only `audit` checks',
        }),
      },
      { default: {}, additionalProperties: false },
    ),
    access: AccessSchema,
    attribution: AttributionSchema,
    operator: Type.Object(
      {
        host: host(),
        port: port(9877),
        enabled: Type.Boolean({ default: true, description: "`start` only: serve the operator's API" }),
      },
      { default: {}, additionalProperties: false, description: "operator's API" },
    ),
    observability: Type.Object(
      {
        host: host(),
        port: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 65535,
            env: 'OBSERVABILITY_PORT',
            description: `port to bind, one for each process on a machine; 0 asks the system for a free one; without it ${OBSERVABILITY_PORT}, or a free one where that is taken`,
          }),
        ),
        enabled: Type.Boolean({ default: true, description: 'serve /livez, /readyz and /metrics' }),
        max_head_age_seconds: Type.Integer({
          minimum: 1,
          default: 60,
          description: 'age of the head above which an indexer that had caught up is not ready',
        }),
        max_served_age_seconds: Type.Optional(
          Type.Integer({ minimum: 1, description: 'age of the head above which an API process is not ready; absent: never' }),
        ),
        traces_url: Type.Optional(
          Type.String({
            pattern: '^https?://',
            env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
            description:
              'OpenTelemetry collector (OTLP over HTTP) that gets spans of requests, queries and node calls; absent: none',
          }),
        ),
        traces_ratio: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 0.01,
          description: 'share of the requests that is traced; a caller that sends `traceparent` decides for its own',
        }),
      },
      { default: {}, additionalProperties: false, description: '/livez, /readyz, /metrics' },
    ),
    webhooks: WebhooksSchema,
    paid: PaidSchema,
  },
  { additionalProperties: false },
)

export type NetworkConfig = Static<typeof NetworkSchema>
export type Config = Static<typeof ConfigSchema>

/** The database schema of a network. */
export const schemaOf = (network: { name: string }): string => `net_${network.name.replaceAll('-', '_')}`
