import { useState } from 'preact/hooks'
import type { Delegation, Grant, Redelegation, Undelegation, Vesting, Vote } from '../../../../src/client/gen/operations.ts'
import { readableName } from '../../format.ts'
import { Listing } from '../../parts/listing.tsx'
import { Switch } from '../../parts/panels.tsx'
import type { Column } from '../../parts/table.tsx'
import { AddressLink, Ago, BlockLink, Tia, TxLink, ValidatorLink } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'

type Props = { hash: string; query: URLSearchParams }

const delegationColumns: Column<Delegation>[] = [
  { title: 'Validator', cell: ({ validator }) => (validator ? <ValidatorLink validator={validator} /> : '–') },
  { title: 'Amount', end: true, cell: ({ amount }) => <Tia utia={amount} /> },
]
const undelegationColumns: Column<Undelegation>[] = [
  { title: 'Unbonding from', cell: ({ validator }) => (validator ? <ValidatorLink validator={validator} /> : '–') },
  { title: 'Amount', end: true, cell: ({ amount }) => <Tia utia={amount} /> },
  {
    title: 'Done',
    end: true,
    cell: ({ completion_time }) => <time dateTime={completion_time}>{completion_time.slice(0, 16).replace('T', ' ')}</time>,
  },
]
const redelegationColumns: Column<Redelegation>[] = [
  { title: 'Moved from', cell: ({ source }) => (source ? <ValidatorLink validator={source} /> : '–') },
  { title: 'To', cell: ({ destination }) => (destination ? <ValidatorLink validator={destination} /> : '–') },
  { title: 'Amount', end: true, cell: ({ amount }) => <Tia utia={amount} /> },
]

/** Three lists beside each other have no pages: each shows its first rows, and offers all as JSON and CSV. */
const NO_QUERY = new URLSearchParams()

export const AddressStaking = ({ hash }: Props) => (
  <>
    <Listing
      caption="Delegations"
      operation="listAddressDelegations"
      input={{ hash }}
      columns={delegationColumns}
      keyOf={(_, i) => i}
      query={NO_QUERY}
      empty="Nothing is delegated."
    />
    <h3>Unbonding</h3>
    <Listing
      caption="Undelegations"
      operation="listAddressUndelegations"
      input={{ hash }}
      columns={undelegationColumns}
      keyOf={(_, i) => i}
      query={NO_QUERY}
      empty="Nothing unbonds."
    />
    <h3>Redelegations</h3>
    <Listing
      caption="Redelegations"
      operation="listAddressRedelegations"
      input={{ hash }}
      columns={redelegationColumns}
      keyOf={(_, i) => i}
      query={NO_QUERY}
      empty="Nothing was moved to another validator."
    />
  </>
)

export function AddressGrants({ hash, query }: Props) {
  const [side, setSide] = useState<'given' | 'taken'>('given')
  const columns: Column<Grant>[] = [
    {
      title: side === 'given' ? 'Given to' : 'Given by',
      cell: ({ grantee, granter }) => <AddressLink address={grantee ?? granter ?? { hash: '' }} />,
    },
    { title: 'Allows', cell: ({ authorization }) => <span class="break">{authorization.replace(/^.*\./, '')}</span> },
    { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
    { title: 'Until', end: true, wide: true, cell: ({ expiration }) => expiration?.slice(0, 10) ?? 'no end' },
    {
      title: 'State',
      end: true,
      cell: ({ revoked }) => <span class={`badge ${revoked ? 'bad' : 'good'}`}>{revoked ? 'Revoked' : 'Given'}</span>,
    },
  ]
  const list = { caption: 'Grants', input: { hash }, columns, keyOf: (_: Grant, i: number) => i, query, empty: 'No grants.' }
  return (
    <>
      <div class="inner-actions">
        <Switch
          label="Side of the grants"
          value={side}
          options={[
            ['given', 'Given'],
            ['taken', 'Received'],
          ]}
          onChange={setSide}
        />
      </div>
      {side === 'given' ? (
        <Listing {...list} operation="listAddressGrants" />
      ) : (
        <Listing {...list} operation="listAddressGranters" />
      )}
    </>
  )
}

const vestingColumns: Column<Vesting>[] = [
  { title: 'Kind', cell: ({ type }) => <span class="badge">{type}</span> },
  { title: 'Amount', end: true, cell: ({ amount }) => <Tia utia={amount} /> },
  { title: 'Starts', end: true, wide: true, cell: ({ start_time }) => start_time?.slice(0, 10) ?? '–' },
  { title: 'Ends', end: true, cell: ({ end_time }) => end_time?.slice(0, 10) ?? 'never' },
  { title: 'Transaction', end: true, wide: true, cell: ({ hash }) => <TxLink hash={hash ?? ''} /> },
]

export const AddressVestings = ({ hash, query }: Props) => (
  <Listing
    caption="Vestings"
    operation="listAddressVestings"
    input={{ hash, show_ended: true }}
    columns={vestingColumns}
    keyOf={({ id }) => id}
    query={query}
    empty="Nothing vests here."
  />
)

const voteColumns: Column<Vote>[] = [
  {
    title: 'Proposal',
    cell: ({ proposal_id, proposal }) => (
      <a href={linkTo(['proposal', proposal_id])}>
        #{proposal_id} {proposal?.title}
      </a>
    ),
  },
  { title: 'Vote', cell: ({ status }) => <span class="badge">{readableName(status)}</span> },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Age', end: true, cell: ({ deposit_time }) => <Ago time={deposit_time} bare /> },
]

export const AddressVotes = ({ hash, query }: Props) => (
  <Listing
    caption="Votes"
    operation="listAddressVotes"
    input={{ hash }}
    columns={voteColumns}
    keyOf={({ id }) => id}
    query={query}
    empty="This account has not voted."
  />
)
