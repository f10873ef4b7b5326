import { formatInteger } from '../format.ts'
import { Empty, Fact, Facts, Panel } from '../parts/panels.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Ago, Moment } from '../parts/values.tsx'
import type { Status } from './status.ts'

type Indexer = NonNullable<Status['indexer']>

const TONES: Record<Indexer['status'], string> = {
  starting: 'warn',
  syncing: 'warn',
  live: 'good',
  stalled: 'bad',
  halted: 'bad',
}

export const NetworkState = ({ status }: { status: Status }) => (
  <>
    <div class="columns">
      <Index status={status} />
      <Audit indexer={status.indexer} />
    </div>
    <Panel title="Nodes">
      {status.indexer ? (
        <Table
          caption="Nodes that are asked"
          columns={nodeColumns}
          rows={status.indexer.nodes}
          keyOf={({ node }) => node}
          empty="The blocks come from a recording."
        />
      ) : (
        <Empty>{ELSEWHERE}</Empty>
      )}
    </Panel>
    <Panel title="Off-chain sources">
      <Table
        caption="Off-chain sources and their last look"
        columns={sourceColumns}
        rows={status.sources}
        keyOf={({ source }) => source}
        empty="No source has been read for this network."
      />
    </Panel>
  </>
)

const ELSEWHERE = 'Another process indexes this network: see its metrics and its log.'

function Index({ status }: { status: Status }) {
  const { indexer, lag_blocks: lag } = status
  return (
    <Panel title="Index">
      <Facts>
        <Fact name="Network">
          {status.network} <span class="muted">{status.chain_id ?? 'nothing is indexed yet'}</span>
        </Fact>
        {indexer && (
          <Fact name="Indexer">
            <span class={`badge ${TONES[indexer.status]}`}>{indexer.status}</span> <span class="muted">{indexer.role}</span>
          </Fact>
        )}
        {status.height !== null && status.time !== null && (
          <Fact name="Newest block">
            {formatInteger(status.height)}, <Moment time={status.time} />
          </Fact>
        )}
        <Fact name="Behind its source">
          {lag === null ? (
            'not known'
          ) : (
            <span class={`badge ${lag <= 1 ? 'good' : 'warn'}`}>
              {formatInteger(lag)} {lag === 1 ? 'block' : 'blocks'}
            </span>
          )}{' '}
          {status.node_seen_at && (
            <span class="muted">
              asked <Ago time={status.node_seen_at} />
            </span>
          )}
        </Fact>
        <Fact name="Rollbacks">{indexer ? <Rollbacks rollbacks={indexer.rollbacks} /> : 'not known'}</Fact>
      </Facts>
    </Panel>
  )
}

const Rollbacks = ({ rollbacks: { count, last } }: { rollbacks: Indexer['rollbacks'] }) => (
  <>
    {formatInteger(count)} <span class="muted">since the process started</span>
    {last && (
      <>
        , the last from {formatInteger(last.from)} to {formatInteger(last.to)} <Ago time={last.at} />
      </>
    )}
  </>
)

function Audit({ indexer }: { indexer: Indexer | null }) {
  const audit = indexer?.audit
  return (
    <Panel title="Audit">
      {!indexer ? (
        <Empty>{ELSEWHERE}</Empty>
      ) : !audit ? (
        <Empty>The invariants were not sampled yet.</Empty>
      ) : (
        <Facts>
          <Fact name="Last sample">
            <Moment time={audit.at} />
          </Fact>
          <Fact name="Heights">
            {formatInteger(audit.from)} to {formatInteger(audit.to)}
          </Fact>
          <Fact name="Result">
            {audit.violations.length === 0 ? (
              <span class="badge good">Everything holds</span>
            ) : (
              <>
                <span class="badge bad">Violated</span> {audit.violations.join(', ')}
              </>
            )}
          </Fact>
        </Facts>
      )}
    </Panel>
  )
}

const nodeColumns: Column<Indexer['nodes'][number]>[] = [
  { title: 'Node', cell: ({ node }) => <span class="break">{node}</span> },
  {
    title: 'State',
    cell: ({ quarantined }) =>
      quarantined === null ? <span class="badge good">in use</span> : <span class="badge bad">quarantined: {quarantined}</span>,
  },
  { title: 'Failures', end: true, cell: ({ failures }) => formatInteger(failures) },
]

const sourceColumns: Column<Status['sources'][number]>[] = [
  { title: 'Source', cell: ({ source }) => source },
  { title: 'Read', cell: ({ checked_at }) => (checked_at ? <Ago time={checked_at} /> : 'never') },
  {
    title: 'Last look',
    cell: ({ error }) =>
      error === null ? <span class="badge good">worked</span> : <span class="badge bad">failed: {error}</span>,
  },
]
