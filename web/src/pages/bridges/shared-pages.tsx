import type { ComponentChildren } from 'preact'
import type { Filter } from '../../parts/filters.tsx'
import { Listing, type ListingProps, type ListOperation } from '../../parts/listing.tsx'
import { ApiRecord, type OneOperation, type RecordOf } from '../../parts/record.tsx'

type NewestProps = { query: URLSearchParams; filters?: readonly Filter[]; input?: Record<string, string | number> }

/** A list of records of a bridge, newest first: all of them, or by `input` those that belong to another record. */
export const newestList =
  <K extends ListOperation>(list: Omit<ListingProps<K>, 'query' | 'filters' | 'input'>) =>
  ({ query, filters = [], input }: NewestProps) => (
    <Listing {...list} query={query} filters={filters} input={{ sort: 'desc', ...input }} />
  )

export type DetailProps = { id: string; query: URLSearchParams }

type Detail<K extends OneOperation> = {
  name: string
  operation: K
  facts: (record: RecordOf<K>) => ComponentChildren
  /** the lists that belong to it */
  parts?: (props: DetailProps & { record: RecordOf<K> }) => ComponentChildren
}

/** The page of one record of a bridge: its facts, and below them the lists that belong to it. */
export const detailPage =
  <K extends OneOperation>({ name, operation, facts, parts }: Detail<K>) =>
  ({ id, query }: DetailProps) => (
    <ApiRecord title={`${name} ${id}`} operation={operation} id={id} facts={facts}>
      {(record) => parts?.({ id, query, record })}
    </ApiRecord>
  )
