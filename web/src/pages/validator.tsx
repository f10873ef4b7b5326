import type { Block, Delegation, Jail, StakeChange, Validator, Vote } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { formatCompact, formatInteger, formatPercent, formatTiaShort, readableName } from '../format.ts'
import { useLive } from '../live.ts'
import { Await, Choice, Fact, Facts, Meter, Panel } from '../parts/blocks.tsx'
import { Listing } from '../parts/listing.tsx'
import { blockColumns, withoutColumns } from '../parts/lists.tsx'
import { OutLink } from '../parts/out-link.tsx'
import { Paged } from '../parts/paged.tsx'
import { SeriesPanel } from '../parts/series-panel.tsx'
import { type Column, PagedTable, pageOf, readPage } from '../parts/table.tsx'
import { AddressLink, Ago, BlockLink, Hash, Tia } from '../parts/values.tsx'
import { linkTo } from '../router.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'
import { MessageItem } from './tx.tsx'
import { Uptime, useUptimes, ValidatorState } from './validators.tsx'

type Props = { id: number; query: URLSearchParams }

const TABS = [
  ['delegators', 'Delegators'],
  ['stake', 'Stake history'],
  ['blocks', 'Proposed blocks'],
  ['jails', 'Jails'],
  ['votes', 'Votes'],
  ['messages', 'Messages'],
] as const

export function ValidatorPage({ id, query }: Props) {
  const loaded = useLoad((signal) => api.getValidator({ id }, { signal }), 'validator')
  const name = loaded.state === 'ready' ? loaded.value.moniker : String(id)
  return (
    <>
      <Title text={`Validator ${name}`} />
      <Await loaded={loaded} rows={8} missing="There is no such validator.">
        {(validator) => <Content validator={validator} query={query} />}
      </Await>
    </>
  )
}

function Content({ validator, query }: { validator: Validator; query: URLSearchParams }) {
  const { id } = validator
  const uptimes = useUptimes(100)
  const tab = query.get('tab') ?? 'delegators'
  return (
    <>
      <div class="columns">
        <Panel title="Summary">
          <Summary validator={validator} />
        </Panel>
        <div class="stack">
          <Panel title="Signatures of the last blocks">
            <Uptime uptimes={uptimes} id={id} />
          </Panel>
          <Scores id={id} />
        </div>
      </div>
      <SeriesPanel
        title="Staking over time"
        names={[
          ['stake', 'Stake', formatTiaShort],
          ['rewards', 'Rewards', formatTiaShort],
          ['commissions', 'Commissions', formatTiaShort],
          ['delegations', 'Delegations', formatTiaShort],
          ['unbondings', 'Unbondings', formatTiaShort],
          ['flow', 'Flow', formatTiaShort],
          ['delegations_count', 'Delegation count', formatCompact],
          ['unbondings_count', 'Unbonding count', formatCompact],
          ['cumulative_flow', 'Sum of flow', formatTiaShort],
        ]}
        timeframes={['hour', 'day', 'month']}
        load={(name, timeframe, from, signal) =>
          name === 'stake'
            ? api.getValidatorStakeSeries({ id, timeframe, from }, { signal })
            : api.getStakingSeries({ id, name, timeframe, from }, { signal })
        }
      />
      <Panel
        title={TABS.find(([name]) => name === tab)?.[1] ?? 'Delegators'}
        actions={
          <Choice
            label="Parts of the validator"
            options={TABS.map(([name, text]) => ({
              name: text,
              href: linkTo(['validator', id], { tab: name === 'delegators' ? undefined : name }),
              isChosen: name === tab,
            }))}
          />
        }
      >
        <Tab tab={tab} id={id} query={query} />
      </Panel>
    </>
  )
}

function Summary({ validator }: { validator: Validator }) {
  return (
    <Facts>
      <Fact name="State">
        <ValidatorState jailed={validator.jailed} isInactive={validator.voting_power === '0'} />
      </Fact>
      <Fact name="Operator">
        <AddressLink address={validator.address} whole copy />
      </Fact>
      <Fact name="Account">
        <AddressLink address={validator.delegator} whole copy />
      </Fact>
      <Fact name="Consensus address">
        <Hash value={validator.cons_address} what="consensus address" whole />
      </Fact>
      <Fact name="Stake">
        <Tia utia={validator.stake} /> <span class="muted">voting power {formatInteger(Number(validator.voting_power))}</span>
      </Fact>
      <Fact name="Commission">
        {formatPercent(Number(validator.rate))}{' '}
        <span class="muted">
          at most {formatPercent(Number(validator.max_rate))}, {formatPercent(Number(validator.max_change_rate))} a day
        </span>
      </Fact>
      <Fact name="Rewards">
        <Tia utia={validator.rewards} /> <span class="muted">commissions</span> <Tia utia={validator.commissions} />
      </Fact>
      {validator.version > 0 && <Fact name="Signals">version {validator.version}</Fact>}
      {validator.details && <Fact name="Details">{validator.details}</Fact>}
      {validator.website && (
        <Fact name="Website">
          <OutLink url={validator.website} />
        </Fact>
      )}
      {validator.contacts && <Fact name="Contact">{validator.contacts}</Fact>}
    </Facts>
  )
}

const SCORES = [
  ['votes_metric', 'Votes on proposals'],
  ['commission_metric', 'Low commission'],
  ['operation_time_metric', 'Time in operation'],
  ['self_delegation_metric', 'Self delegation'],
] as const

/** Blocks that the API looks back for signatures. */
const SCORED_BLOCKS = 1000

function Scores({ id }: { id: number }) {
  const loaded = useLoad((signal) => api.getValidatorMetrics({ id }, { signal }), 'metrics')
  const height = useLive(({ head }) => head?.last_height ?? 0)
  // The newest block is signed by the next one.
  const blocks = Math.max(1, Math.min(SCORED_BLOCKS, height - 1))
  return (
    <Panel title="Scores">
      <Await loaded={loaded} rows={5} missing="Nothing to score yet.">
        {(metrics) => (
          <Facts>
            {SCORES.map(([field, name]) => (
              <Score key={field} name={name} part={Number(metrics[field])} />
            ))}
            {/* The API counts signed blocks under this name, and divides by the whole window even on a younger chain. */}
            <Score name={`Signed of ${formatInteger(blocks)} blocks`} part={Math.min(1, metrics.block_missed_count / blocks)} />
          </Facts>
        )}
      </Await>
    </Panel>
  )
}

const Score = ({ name, part }: { name: string; part: number }) => (
  <Fact name={name}>
    <Meter part={part} label={formatPercent(part)} /> <span class="number">{formatPercent(part)}</span>
  </Fact>
)

function Tab({ tab, id, query }: Props & { tab: string }) {
  switch (tab) {
    case 'stake':
      return <StakeHistory id={id} query={query} />
    case 'blocks':
      return <Blocks id={id} query={query} />
    case 'jails':
      return <Jails id={id} query={query} />
    case 'votes':
      return <Votes id={id} query={query} />
    case 'messages':
      return <Messages id={id} query={query} />
  }
  return <Delegators id={id} query={query} />
}

const delegatorColumns: Column<Delegation>[] = [
  { title: 'Account', cell: ({ delegator }) => (delegator ? <AddressLink address={delegator} /> : '–') },
  { title: 'Amount', end: true, cell: ({ amount }) => <Tia utia={amount} /> },
]

function Delegators({ id, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listValidatorDelegators({ id, ...pageOf(page) }, { signal }), `delegators ${page}`)
  return (
    <PagedTable
      caption="Delegators"
      loaded={loaded}
      page={page}
      columns={delegatorColumns}
      keyOf={({ delegator }, i) => delegator?.hash ?? i}
      empty="Nobody has delegated to this validator."
    />
  )
}

const stakeColumns: Column<StakeChange>[] = [
  { title: 'Block', cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Change', end: true, cell: ({ amount }) => <Tia utia={amount} /> },
  { title: 'Stake', end: true, cell: ({ stake }) => <Tia utia={stake} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const StakeHistory = ({ id, query }: Props) => (
  <Listing
    caption="Blocks that changed the stake, newest first"
    operation="listValidatorStakeHistory"
    input={{ id }}
    columns={stakeColumns}
    keyOf={(row) => row.id}
    query={query}
    empty="The stake of this validator has not changed."
  />
)

const proposedColumns: Column<Block>[] = withoutColumns(blockColumns, 'Proposer')

function Blocks({ id, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listValidatorBlocks({ id, ...pageOf(page) }, { signal }), `blocks ${page}`)
  return (
    <PagedTable
      caption="Proposed blocks, newest first"
      loaded={loaded}
      page={page}
      columns={proposedColumns}
      keyOf={({ height }) => height}
      empty="This validator has proposed no block."
    />
  )
}

const jailColumns: Column<Jail>[] = [
  { title: 'Block', cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Reason', cell: ({ reason }) => readableName(reason) },
  { title: 'Burned', end: true, cell: ({ burned }) => <Tia utia={burned} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

function Jails({ id, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listValidatorJails({ id, ...pageOf(page) }, { signal }), `jails ${page}`)
  return (
    <PagedTable
      caption="Jails"
      loaded={loaded}
      page={page}
      columns={jailColumns}
      keyOf={({ height }, i) => `${height} ${i}`}
      empty="This validator was never jailed."
    />
  )
}

const voteColumns: Column<Vote>[] = [
  { title: 'Proposal', cell: ({ proposal_id }) => <a href={linkTo(['proposal', proposal_id])}>#{proposal_id}</a> },
  { title: 'Vote', cell: ({ status }) => <span class="badge">{readableName(status)}</span> },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Age', end: true, cell: ({ deposit_time }) => <Ago time={deposit_time} bare /> },
]

function Votes({ id, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listValidatorVotes({ id, ...pageOf(page) }, { signal }), `votes ${page}`)
  return (
    <PagedTable
      caption="Votes"
      loaded={loaded}
      page={page}
      columns={voteColumns}
      keyOf={({ id }) => id}
      empty="This validator has not voted."
    />
  )
}

function Messages({ id, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad(
    (signal) => api.listValidatorMessages({ id, ...pageOf(page), sort: 'desc' }, { signal }),
    `messages ${page}`,
  )
  return (
    <Paged loaded={loaded} page={page} empty={<p class="empty">No message names this validator.</p>}>
      {(messages) => (
        <ol class="messages">
          {messages.map((message) => (
            <MessageItem key={message.id} message={message} />
          ))}
        </ol>
      )}
    </Paged>
  )
}
