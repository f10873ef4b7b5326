import type { Proposal } from '../../../../src/client/gen/operations.ts'
import { readableName } from '../../format.ts'
import { Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panels.tsx'
import { Siblings } from '../../parts/siblings.tsx'
import type { Column } from '../../parts/table.tsx'
import { AddressLink, Ago, TiaShort } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { Title } from '../../shell/title.tsx'

const TONES: Record<Proposal['status'], string> = {
  inactive: '',
  active: 'warn',
  removed: '',
  applied: 'good',
  rejected: 'bad',
  failed: 'bad',
}

export const ProposalState = ({ status }: { status: Proposal['status'] }) => (
  <span class={`badge ${TONES[status]}`}>{readableName(status)}</span>
)

const columns: Column<Proposal>[] = [
  {
    title: 'Proposal',
    cell: ({ id, title }) => (
      <a href={linkTo(['proposal', id])}>
        #{id} {title}
      </a>
    ),
  },
  { title: 'State', cell: ({ status }) => <ProposalState status={status} /> },
  { title: 'Type', wide: true, cell: ({ type }) => readableName(type) },
  { title: 'Proposer', wide: true, cell: ({ proposer }) => (proposer ? <AddressLink address={proposer} /> : '–') },
  { title: 'Deposit', end: true, wide: true, cell: ({ deposit }) => <TiaShort utia={deposit} /> },
  { title: 'Votes', end: true, wide: true, cell: ({ votes_count }) => votes_count },
  { title: 'Age', end: true, cell: ({ created_at }) => <Ago time={created_at} bare /> },
]

const named = (values: readonly string[]) => values.map((value) => [value, readableName(value)] as const)

const FILTERS = [
  { name: 'status', label: 'State', options: named(['inactive', 'active', 'applied', 'rejected', 'removed', 'failed']) },
  { name: 'type', label: 'Type', options: named(['param_changed', 'text', 'client_update', 'community_pool_spend']) },
  { name: 'proposer', label: 'Proposer' },
]

export function GovernancePage({ query }: { query: URLSearchParams }) {
  return (
    <>
      <Title text="Governance" actions={<Siblings family="governance" current="governance" />} />
      <Panel title="Proposals, newest first">
        <Listing
          caption="Proposals, newest first"
          operation="listProposals"
          input={{ sort: 'desc' }}
          filters={FILTERS}
          columns={columns}
          keyOf={({ id }) => id}
          query={query}
          empty="No such proposal."
        />
      </Panel>
    </>
  )
}
