import type { StatementLine } from '../../../../src/client/gen/operations.ts'
import { formatTia, readableName, shorten } from '../../format.ts'
import { Listing } from '../../parts/listing.tsx'
import type { Column } from '../../parts/table.tsx'
import { Ago, BlockLink, TxLink } from '../../parts/values.tsx'

const amountOf = (currency: string, amount: string) =>
  currency === 'utia' ? formatTia(amount) : `${amount} ${shorten(currency, 12, 6)}`

const columns: Column<StatementLine>[] = [
  { title: 'Cause', cell: ({ cause }) => <span class="badge">{readableName(cause)}</span> },
  { title: 'Of', wide: true, cell: ({ part }) => readableName(part) },
  { title: 'Change', end: true, cell: ({ currency, amount }) => amountOf(currency, amount) },
  { title: 'Balance', end: true, cell: ({ currency, balance }) => amountOf(currency, balance) },
  { title: 'Value', end: true, wide: true, cell: ({ value }) => (value === undefined ? '–' : `$${Number(value).toFixed(2)}`) },
  { title: 'Block', wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Transaction', wide: true, cell: ({ tx_hash }) => (tx_hash ? <TxLink hash={tx_hash} /> : '–') },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const CAUSES = [
  'transfer',
  'fee',
  'reward',
  'commission',
  'delegation',
  'unbonding',
  'unbonded',
  'slash',
  'ibc',
  'bridge',
  'deposit',
  'genesis',
]

/** Every change of what an account has; as CSV it is the statement that accountants ask for. */
export function AddressHistory({ hash, query }: { hash: string; query: URLSearchParams }) {
  return (
    <Listing
      caption="Changes of the balance, newest first"
      operation="listAddressStatement"
      input={{ hash, sort: 'desc' }}
      filters={[
        { name: 'cause', label: 'Cause', options: CAUSES.map((cause) => [cause, readableName(cause)] as const) },
        {
          name: 'part',
          label: 'Of',
          options: (['spendable', 'delegated', 'unbonding'] as const).map((part) => [part, readableName(part)] as const),
        },
      ]}
      columns={columns}
      keyOf={({ id }) => id}
      query={query}
      empty="Nothing has changed."
    />
  )
}
