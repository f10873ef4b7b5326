import type { Delegation, Jail, StakeChange, Vote } from '../../../../src/client/gen/operations.ts'
import { readableName } from '../../format.ts'
import { Listing, Pages } from '../../parts/listing.tsx'
import { blockColumns, PERIOD_FILTERS, withoutColumns } from '../../parts/lists.tsx'
import type { Column } from '../../parts/table.tsx'
import { AddressLink, Ago, BlockLink, Tia } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { Messages } from '../chain/tx.tsx'

export const VALIDATOR_PARTS = [
  ['delegators', 'Delegators'],
  ['stake', 'Stake history'],
  ['blocks', 'Proposed blocks'],
  ['jails', 'Jails'],
  ['votes', 'Votes'],
  ['messages', 'Messages'],
] as const

const delegatorColumns: Column<Delegation>[] = [
  { title: 'Account', cell: ({ delegator }) => (delegator ? <AddressLink address={delegator} /> : '–') },
  { title: 'Amount', end: true, cell: ({ amount }) => <Tia utia={amount} /> },
]

const stakeColumns: Column<StakeChange>[] = [
  { title: 'Block', cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Change', end: true, cell: ({ amount }) => <Tia utia={amount} /> },
  { title: 'Stake', end: true, cell: ({ stake }) => <Tia utia={stake} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const jailColumns: Column<Jail>[] = [
  { title: 'Block', cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Reason', cell: ({ reason }) => readableName(reason) },
  { title: 'Burned', end: true, cell: ({ burned }) => <Tia utia={burned} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const voteColumns: Column<Vote>[] = [
  { title: 'Proposal', cell: ({ proposal_id }) => <a href={linkTo(['proposal', proposal_id])}>#{proposal_id}</a> },
  { title: 'Vote', cell: ({ status }) => <span class="badge">{readableName(status)}</span> },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Age', end: true, cell: ({ deposit_time }) => <Ago time={deposit_time} bare /> },
]

type Props = { part: (typeof VALIDATOR_PARTS)[number][0]; id: number; query: URLSearchParams }

/** Lists of a validator. */
export function ValidatorList({ part, id, query }: Props) {
  switch (part) {
    case 'delegators':
      return (
        <Listing
          caption="Delegators"
          operation="listValidatorDelegators"
          input={{ id }}
          columns={delegatorColumns}
          keyOf={({ delegator }, i) => delegator?.hash ?? i}
          query={query}
          empty="This validator has no delegations."
        />
      )
    case 'stake':
      return (
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
    case 'blocks':
      return (
        <Listing
          caption="Proposed blocks, newest first"
          operation="listValidatorBlocks"
          input={{ id }}
          columns={withoutColumns(blockColumns, 'Proposer')}
          keyOf={({ height }) => height}
          query={query}
          empty="This validator has proposed no block."
        />
      )
    case 'jails':
      return (
        <Listing
          caption="Jails"
          operation="listValidatorJails"
          input={{ id }}
          columns={jailColumns}
          keyOf={({ height }, i) => `${height} ${i}`}
          query={query}
          empty="This validator was never jailed."
        />
      )
    case 'votes':
      return (
        <Listing
          caption="Votes"
          operation="listValidatorVotes"
          input={{ id }}
          columns={voteColumns}
          keyOf={({ id }) => id}
          query={query}
          empty="This validator has not voted."
        />
      )
    case 'messages':
      return (
        <Pages
          caption="Messages"
          operation="listValidatorMessages"
          input={{ id, sort: 'desc' }}
          filters={PERIOD_FILTERS}
          query={query}
          empty="No such message names this validator."
        >
          {(messages) => <Messages messages={messages} />}
        </Pages>
      )
  }
}
