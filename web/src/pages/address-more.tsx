import { useState } from 'preact/hooks'
import type { Delegation, Grant, Redelegation, Undelegation, Vesting, Vote } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { readableName } from '../format.ts'
import { Await, Switch } from '../parts/blocks.tsx'
import { type Column, PagedTable, pageOf, readPage, Table } from '../parts/table.tsx'
import { AddressLink, Ago, BlockLink, Tia, TxLink, ValidatorLink } from '../parts/values.tsx'
import { linkTo } from '../router.ts'
import { useLoad } from '../use-load.ts'

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

const ALL = { limit: 100 }

export function AddressStaking({ hash }: Props) {
  const loaded = useLoad(async (signal) => {
    const [delegations, undelegations, redelegations] = await Promise.all([
      api.listAddressDelegations({ hash, ...ALL }, { signal }),
      api.listAddressUndelegations({ hash, ...ALL }, { signal }),
      api.listAddressRedelegations({ hash, ...ALL }, { signal }),
    ])
    return { delegations, undelegations, redelegations }
  }, 'staking')
  return (
    <Await loaded={loaded}>
      {({ delegations, undelegations, redelegations }) => (
        <>
          <Table
            caption="Delegations"
            columns={delegationColumns}
            rows={delegations}
            keyOf={(_, i) => i}
            empty="Nothing is delegated."
          />
          {undelegations.length > 0 && (
            <Table caption="Undelegations" columns={undelegationColumns} rows={undelegations} keyOf={(_, i) => i} />
          )}
          {redelegations.length > 0 && (
            <Table caption="Redelegations" columns={redelegationColumns} rows={redelegations} keyOf={(_, i) => i} />
          )}
        </>
      )}
    </Await>
  )
}

export function AddressGrants({ hash, query }: Props) {
  const page = readPage(query)
  const [side, setSide] = useState<'given' | 'taken'>('given')
  const loaded = useLoad(
    (signal) => (side === 'given' ? api.listAddressGrants : api.listAddressGranters)({ hash, ...pageOf(page) }, { signal }),
    `${side} ${page}`,
  )
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
      <PagedTable caption="Grants" loaded={loaded} page={page} columns={columns} keyOf={(_, i) => i} empty="No grants." />
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

export function AddressVestings({ hash, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad(
    (signal) => api.listAddressVestings({ hash, ...pageOf(page), show_ended: true }, { signal }),
    `vestings ${page}`,
  )
  return (
    <PagedTable
      caption="Vestings"
      loaded={loaded}
      page={page}
      columns={vestingColumns}
      keyOf={({ id }) => id}
      empty="Nothing vests here."
    />
  )
}

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

export function AddressVotes({ hash, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listAddressVotes({ hash, ...pageOf(page) }, { signal }), `votes ${page}`)
  return (
    <PagedTable
      caption="Votes"
      loaded={loaded}
      page={page}
      columns={voteColumns}
      keyOf={({ id }) => id}
      empty="This account has not voted."
    />
  )
}
