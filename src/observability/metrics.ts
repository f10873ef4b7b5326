import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const PREFIX = 'idx_'
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const STAGE_BUCKETS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]
const BYTE_BUCKETS = [1e3, 1e4, 1e5, 5e5, 1e6, 2e6, 4e6, 8e6, 16e6, 32e6, 64e6]

/**
 * Every metric except those of payments, which the paid surface adds itself. Labels are bounded: route
 * templates, names from the configuration and closed word lists; never an address, hash or key.
 */
export function createMetrics(build: { version: string; commit: string }) {
  const registry = new Registry()
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: PREFIX + name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers })

  const metrics = {
    headHeight: gauge('head_height', 'Last indexed height', ['network']),
    nodeHeadHeight: gauge('node_head_height', 'Height of the node or recording', ['network']),
    lagBlocks: gauge('lag_blocks', 'Heights that the index is behind its source', ['network']),
    lagSeconds: gauge('lag_seconds', 'Block time that the index is behind its source', ['network']),
    headAge: gauge('head_age_seconds', 'Age of the newest indexed block by its own time; not for recordings', ['network']),
    chainStill: gauge('chain_still', '1 while the nodes answer and none has a new block', ['network']),
    serverUp: gauge('read_server_up', '1 while a database server that may be read from answers', ['network', 'server']),
    serverUsed: gauge('read_server_used', '1 for the database server that is read from', ['network', 'server']),
    serverLagBlocks: gauge('read_server_lag_blocks', 'Heights that a database server is behind the newest one known', [
      'network',
      'server',
    ]),
    serverLagSeconds: gauge('read_server_lag_seconds', 'Time since the first commit that a database server does not show', [
      'network',
      'server',
    ]),
    verifiedHeight: gauge('verified_height', 'Height up to which all txs are those that the headers seal', ['network']),
    nodeProvesState: gauge(
      'node_proves_state',
      '1 when the node proved state the last time it was asked, 0 when it gave no proofs or does not keep old state',
      ['network', 'node'],
    ),
    stateProvenHeight: gauge('state_proven_height', 'Height at which the index last agreed with proofs of the state', [
      'network',
    ]),
    stateProvenAt: gauge('state_proven_timestamp_seconds', 'When the index last agreed with proofs of the state', ['network']),
    stateProvenRecords: gauge('state_proven_records', 'Records that were proven then', ['network']),
    lastCommit: gauge('last_commit_timestamp_seconds', 'When a block was last seen to be committed', ['network']),
    status: gauge('status', '1 starting, 2 syncing, 3 live, 4 stalled, 5 halted', ['network']),
    writerLock: gauge('writer_lock_held', '1 when this process is the writer', ['network']),
    blocksCommitted: counter('blocks_committed_total', 'Blocks committed by this process', ['network']),
    stageDuration: histogram(
      'stage_duration_seconds',
      'Time that a batch takes in a stage: fetch (waiting for the source), decode, apply, commit; or a block until its txs are verified in the background: verify',
      ['network', 'stage'],
      STAGE_BUCKETS,
    ),
    blockBytes: histogram('block_bytes', 'Bytes of the txs of the blocks indexed', ['network'], BYTE_BUCKETS),
    rollbacks: counter('rollbacks_total', 'Times that blocks were taken back', ['network']),
    rollbackDepth: gauge('rollback_depth_blocks', 'Blocks taken back the last time', ['network']),
    disputes: counter('disputed_heights_total', 'Heights of which nodes told different events', ['network']),
    nodeRequests: counter('node_requests_total', 'Requests to nodes by outcome', ['network', 'node', 'method', 'outcome']),
    nodeRequestDuration: histogram(
      'node_request_duration_seconds',
      'Time of a request to a node',
      ['network', 'node', 'method'],
      STAGE_BUCKETS,
    ),
    nodeQuarantined: gauge('node_quarantined', '1 while a node is put aside', ['network', 'node']),
    unknownMessages: counter('unknown_messages_total', 'Messages of types that are not known', ['network', 'type']),
    decodeFailures: counter('decode_failures_total', 'What could not be decoded', ['network', 'kind']),
    invariantViolations: counter('invariant_violations_total', 'Rules of the index that its own rows or a block break', [
      'network',
      'name',
    ]),
    requestDuration: histogram(
      'http_request_duration_seconds',
      'Time of an answer',
      ['network', 'method', 'route', 'status'],
      REQUEST_BUCKETS,
    ),
    activeRequests: gauge('http_active_requests', 'Requests being answered', ['network']),
    dbPool: gauge('db_pool', 'Connections to the database by state', ['state']),
    dbPoolWait: histogram(
      'db_pool_wait_seconds',
      'Time that a probe waited for a connection and its answer',
      ['network'],
      REQUEST_BUCKETS,
    ),
    queryTimeouts: counter('db_query_timeouts_total', 'Queries that were cancelled', ['network', 'route']),
    rateLimited: counter('rate_limited_total', 'Requests over a limit', ['plan', 'policy']),
    authFailures: counter('auth_failures_total', 'Keys that were refused', ['reason']),
    // Of several workers the one that is worst off counts.
    limitsShared: new Gauge({
      name: `${PREFIX}limits_shared`,
      help: '1 while the shared counters of the limits answer',
      registers,
      aggregator: 'min',
    }),
    wsConnections: gauge('ws_connections', 'Open pushed connections', ['network', 'kind']),
    wsSubscriptions: gauge('ws_subscriptions', 'Subscriptions', ['network', 'channel']),
    wsSent: counter('ws_sent_total', 'Notifications sent', ['network', 'channel']),
    wsClosed: counter('ws_closed_total', 'Connections closed', ['network', 'reason']),
    wsPublishDelay: histogram(
      'ws_publish_delay_seconds',
      'From the movement of the head to the last subscriber',
      ['network'],
      REQUEST_BUCKETS,
    ),
    webhooks: gauge('webhooks', 'Subscriptions that this process delivers to', ['network', 'state']),
    webhookLease: gauge('webhook_lease_held', '1 while this process delivers', ['network']),
    webhookLag: gauge('webhook_lag_blocks', 'Heights that the last of the subscriptions that do not fail is behind', ['network']),
    webhookAttempts: counter('webhook_attempts_total', 'Requests to receivers by outcome', ['network', 'outcome']),
    webhookAttemptDuration: histogram(
      'webhook_attempt_duration_seconds',
      'Time of a request to a receiver',
      ['network'],
      REQUEST_BUCKETS,
    ),
    webhookDelay: histogram(
      'webhook_delay_seconds',
      'From the movement of the head to the answer of the receiver',
      ['network'],
      STAGE_BUCKETS,
    ),
    webhooksPaused: counter(
      'webhooks_paused_total',
      'Subscriptions paused because their receiver failed or the quota of the day is used up',
      ['network', 'reason'],
    ),
    webhookReverts: counter('webhook_reverts_total', 'Subscriptions that were told of a fork', ['network']),
    offchainAge: gauge('offchain_age_seconds', 'Age of off-chain data', ['network', 'source']),
    offchainFailures: counter('offchain_failures_total', 'Looks at an off-chain source that failed', ['network', 'source']),
    diskFree: gauge('disk_free_ratio', 'Free part of the disk with the data folder', []),
  }
  // Without a label it would be 0 from the start, also in a process that has no limits to share.
  metrics.limitsShared.remove()
  const labelNames = ['version', 'commit'] as const
  new Gauge({ name: `${PREFIX}build_info`, help: 'The program that runs', labelNames, registers, aggregator: 'first' }).set(
    build,
    1,
  )
  collectDefaultMetrics({ register: registry, prefix: PREFIX })
  return { registry, ...metrics }
}

export type Metrics = ReturnType<typeof createMetrics>
