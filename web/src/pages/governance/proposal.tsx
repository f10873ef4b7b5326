import { useMemo } from 'preact/hooks'
import type { Proposal, Vote } from '../../../../src/client/gen/operations.ts'
import { addressOf, api } from '../../api.ts'
import { approvalOf, turnoutOf, VOTE_OPTIONS, vetoOf } from '../../figures/tally.ts'
import { formatInteger, formatTiaShort, readableName, readCoins } from '../../format.ts'
import { Bars } from '../../parts/charts/bars.tsx'
import { Chart, chartRoom } from '../../parts/charts/chart.tsx'
import { Legend } from '../../parts/charts/legend.tsx'
import { Data } from '../../parts/data.tsx'
import { Limit } from '../../parts/limit.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Await, Empty, Fact, Facts, Panel } from '../../parts/panels.tsx'
import type { Column } from '../../parts/table.tsx'
import { AddressLink, Ago, BlockLink, Moment, Tia, ValidatorLink } from '../../parts/values.tsx'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'
import { ProposalState } from './governance.tsx'

export function ProposalPage({ id, query }: { id: number; query: URLSearchParams }) {
  const loaded = useLoad((signal) => api.getProposal({ id }, { signal }), `proposal ${id}`)
  const title = loaded.state === 'ready' ? loaded.value.title : ''
  return (
    <>
      <Title text={`Proposal ${id} ${title}`} actions={<a href={addressOf('getProposal', { id })}>JSON</a>} />
      <Await loaded={loaded} rows={8} missing="There is no such proposal.">
        {(proposal) => <Content proposal={proposal} query={query} />}
      </Await>
    </>
  )
}

function Content({ proposal, query }: { proposal: Proposal; query: URLSearchParams }) {
  return (
    <>
      <div class="columns">
        <Panel title="Summary">
          <Summary proposal={proposal} />
        </Panel>
        <div class="stack">
          <Tally proposal={proposal} />
          <VotesOverTime proposal={proposal} />
        </div>
      </div>
      {proposal.changes && Object.keys(proposal.changes).length > 0 && (
        <Panel title="What it changes">
          <Data value={proposal.changes} />
        </Panel>
      )}
      <Panel title={`Votes ${formatInteger(proposal.votes_count)}`}>
        <Listing
          caption="Votes, newest first"
          operation="listProposalVotes"
          input={{ id: proposal.id }}
          filters={VOTE_FILTERS}
          columns={voteColumns}
          keyOf={(vote) => vote.id}
          query={query}
          empty="No such votes."
        />
      </Panel>
    </>
  )
}

function Summary({ proposal }: { proposal: Proposal }) {
  return (
    <Facts>
      <Fact name="State">
        <ProposalState status={proposal.status} /> <span class="muted">{readableName(proposal.type)}</span>
      </Fact>
      {proposal.proposer && (
        <Fact name="Proposer">
          <AddressLink address={proposal.proposer} whole copy />
        </Fact>
      )}
      <Fact name="Submitted">
        block <BlockLink height={proposal.height} />, <Moment time={proposal.created_at} />
      </Fact>
      <Fact name="Deposit">
        <Tia utia={proposal.deposit} />{' '}
        {proposal.min_deposit && <span class="muted">needed {readCoins(proposal.min_deposit) ?? proposal.min_deposit}</span>}
      </Fact>
      {proposal.activation_time && (
        <Fact name="Voting from">
          <Moment time={proposal.activation_time} />
        </Fact>
      )}
      {proposal.end_time && (
        <Fact name="Voting until">
          <Moment time={proposal.end_time} />
        </Fact>
      )}
      {proposal.error && <Fact name="Error">{proposal.error}</Fact>}
      <Fact name="Description">
        <span class="break">{proposal.description || '–'}</span>
      </Fact>
    </Facts>
  )
}

/** Turnout, approval and vetoes beside the limits that decide, then who has how much. */
function Tally({ proposal }: { proposal: Proposal }) {
  const { quorum, threshold, veto_quorum } = proposal
  const turnout = turnoutOf(proposal)
  if (turnout === undefined && proposal.votes_count === 0)
    return (
      <Panel title="Tally">
        <Empty>{proposal.status === 'inactive' ? 'The vote has not begun.' : 'There was no vote.'}</Empty>
      </Panel>
    )
  return (
    <Panel title="Tally">
      <div class="limits">
        {turnout !== undefined && <Limit name="Turnout" part={turnout} limit={quorum} remark="quorum" />}
        <Limit name="Yes, of those who took a side" part={approvalOf(proposal)} limit={threshold} remark="passes above" />
        <Limit name="Vetoes, of all votes" part={vetoOf(proposal)} limit={veto_quorum} remark="rejected above" />
      </div>
      <Bars
        label="Stake by option"
        format={formatTiaShort}
        rows={VOTE_OPTIONS.map((option) => ({ name: readableName(option), value: Number(proposal[`${option}_voting_power`]) }))}
      />
    </Panel>
  )
}

const MOST_VOTES = 1000

async function listVotes(id: number, signal: AbortSignal): Promise<Vote[]> {
  const votes: Vote[] = []
  while (votes.length < MOST_VOTES) {
    const more = (await api.listProposalVotes({ id, limit: 100, offset: votes.length }, { signal })) ?? []
    votes.push(...more)
    if (more.length < 100) break
  }
  return votes
}

function VotesOverTime({ proposal: { id, votes_count: count } }: { proposal: Proposal }) {
  const loaded = useLoad((signal) => listVotes(id, signal), `votes of ${id}`)
  if (count < 2) return null
  return (
    <Panel title="Votes over time">
      <Await loaded={loaded} height={chartRoom() + LEGEND}>
        {(votes) => <VotesChart votes={votes} />}
      </Await>
    </Panel>
  )
}

/** Room of one line of a legend, in pixels. */
const LEGEND = 28

function VotesChart({ votes }: { votes: Vote[] }) {
  const lines = useMemo(() => {
    const ordered = [...votes].sort((a, b) => a.height - b.height)
    const times = [...new Set(ordered.map(({ deposit_time }) => Math.floor(Date.parse(deposit_time) / 1000)))]
    return VOTE_OPTIONS.filter((option) => ordered.some(({ status }) => status === option)).map((option) => ({
      name: readableName(option),
      points: times.map((at) => ({
        at,
        value: ordered.filter((vote) => vote.status === option && Date.parse(vote.deposit_time) / 1000 < at + 1).length,
      })),
    }))
  }, [votes])
  return (
    <>
      <Chart title="Votes so far by option" lines={lines} format={formatInteger} kind="line" />
      <Legend lines={lines} />
    </>
  )
}

const VOTE_FILTERS = [
  { name: 'option', label: 'Option', options: VOTE_OPTIONS.map((option) => [option, readableName(option)] as const) },
  {
    name: 'voter',
    label: 'Voters',
    options: [
      ['validator', 'validators'],
      ['address', 'accounts'],
    ] as const,
  },
  { name: 'address', label: 'Account' },
]

const voteColumns: Column<Vote>[] = [
  {
    title: 'Voter',
    cell: ({ voter, validator }) =>
      validator ? <ValidatorLink validator={validator} /> : voter ? <AddressLink address={voter} /> : '–',
  },
  { title: 'Vote', cell: ({ status }) => <span class="badge">{readableName(status)}</span> },
  { title: 'Weight', end: true, wide: true, cell: ({ weight }) => weight },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Age', end: true, cell: ({ deposit_time }) => <Ago time={deposit_time} bare /> },
]
