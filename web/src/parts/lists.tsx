import type { BlobLog, Block, Event, Tx } from '../../../src/client/gen/operations.ts'
import { MESSAGE_TYPES } from '../../../src/types/message-type.ts'
import { formatBytes, formatInteger, readableType } from '../format.ts'
import { linkTo } from '../router.ts'
import { Attribute } from './data.tsx'
import type { Column } from './table.tsx'
import { AddressLink, Ago, BlockLink, Hash, NamespaceLink, Status, TiaShort, TxLink, Types, ValidatorLink } from './values.tsx'

/** The columns in which blocks, transactions, blobs and events are shown everywhere. */
export const blockColumns: Column<Block>[] = [
  { title: 'Height', cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Age', cell: ({ time }) => <Ago time={time} bare /> },
  { title: 'Proposer', wide: true, cell: ({ proposer }) => (proposer ? <ValidatorLink validator={proposer} /> : '–') },
  { title: 'Txs', end: true, cell: ({ stats }) => formatInteger(stats?.tx_count ?? 0) },
  { title: 'Blobs', end: true, wide: true, cell: ({ stats }) => formatInteger(stats?.blobs_count ?? 0) },
  { title: 'Blob bytes', end: true, cell: ({ stats }) => formatBytes(stats?.blobs_size ?? 0) },
  { title: 'Square', end: true, wide: true, cell: ({ stats }) => (stats ? `${stats.square_size}²` : '–') },
]

export const txColumns: Column<Tx>[] = [
  {
    title: 'Hash',
    cell: ({ hash, id, status }) => (
      <>
        <TxLink hash={hash} id={id} />
        {/* Where there is no room for the column of the status. */}
        {status === 'failed' && (
          <small class="narrow">
            <Status status={status} />
          </small>
        )}
      </>
    ),
  },
  { title: 'Type', cell: ({ message_types }) => <Types types={message_types} /> },
  { title: 'Status', wide: true, cell: ({ status }) => <Status status={status} /> },
  { title: 'Signer', wide: true, cell: ({ signers }) => (signers?.[0] ? <AddressLink address={signers[0]} /> : '–') },
  { title: 'Block', wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Fee', end: true, wide: true, cell: ({ fee }) => <TiaShort utia={fee} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

/** Every type of the chain, by the name that lists show. */
export const MESSAGE_TYPE_OPTIONS = MESSAGE_TYPES.map((type) => [type, readableType(type)] as const).sort((a, b) =>
  a[1].localeCompare(b[1]),
)

export const MESSAGE_TYPE_FILTER = { name: 'msg_type', label: 'Message type', options: MESSAGE_TYPE_OPTIONS }

export const TX_FILTERS = [
  {
    name: 'status',
    label: 'Status',
    options: [
      ['success', 'successful'],
      ['failed', 'failed'],
    ] as const,
  },
  MESSAGE_TYPE_FILTER,
]

export const PERIOD_FILTERS = [
  { name: 'from', label: 'From', isDay: true },
  { name: 'to', label: 'Before', isDay: true },
] as const

export const BLOB_ORDERS = [
  ['time', 'Latest'],
  ['size', 'Size'],
] as const

/** `hash` is the namespace of lists whose rows do not name it: they are of one namespace. */
const blobColumn = (hash?: string): Column<BlobLog> => ({
  title: 'Blob',
  cell: ({ height, namespace, commitment }) => (
    <Hash
      value={commitment}
      what="commitment"
      copy={false}
      first={6}
      href={linkTo(['blob', height, namespace?.hash ?? hash ?? '', commitment])}
    />
  ),
})

export const blobColumns: Column<BlobLog>[] = [
  blobColumn(),
  {
    title: 'Namespace',
    cell: ({ namespace }) => (namespace ? <NamespaceLink hash={namespace.hash} name={namespace.name} /> : '–'),
  },
  { title: 'Size', end: true, cell: ({ size }) => formatBytes(size) },
  {
    title: 'Content',
    wide: true,
    cell: ({ content_type }) => (
      <span class="clip" title={content_type}>
        {content_type.replace(/;.*$/, '')}
      </span>
    ),
  },
  { title: 'Signer', wide: true, cell: ({ signer }) => (signer ? <AddressLink address={signer} /> : '–') },
  {
    title: 'Rollup',
    wide: true,
    cell: ({ rollup }) => (rollup ? <a href={linkTo(['rollup', rollup.slug])}>{rollup.name}</a> : '–'),
  },
  { title: 'Transaction', wide: true, cell: ({ tx }) => (tx ? <TxLink hash={tx.hash} id={tx.id} /> : '–') },
  { title: 'Age', end: true, wide: true, cell: ({ time }) => <Ago time={time} bare /> },
]

export const blobColumnsOf = (hash: string): Column<BlobLog>[] => [
  blobColumn(hash),
  { title: 'Block', cell: ({ height }) => <BlockLink height={height} /> },
  ...withoutColumns(blobColumns, 'Blob', 'Namespace'),
]

export const withoutColumns = <T,>(columns: Column<T>[], ...titles: string[]): Column<T>[] =>
  columns.filter(({ title }) => !titles.includes(title))

export function Events({ events }: { events: Event[] }) {
  return (
    <ol class="events">
      {events.map((event) => (
        <li key={event.id}>
          <h3>
            <span class="muted number">#{event.position}</span> {event.type}
          </h3>
          {event.data ? (
            <dl class="pairs">
              {Object.entries(event.data).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <Attribute name={name} value={value} />
                  </dd>
                </div>
              ))}
            </dl>
          ) : (
            <p class="muted">no attributes</p>
          )}
        </li>
      ))}
    </ol>
  )
}
