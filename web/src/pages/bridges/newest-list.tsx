import type { Filter } from '../../parts/filters.tsx'
import { Listing, type ListingProps, type ListOperation } from '../../parts/listing.tsx'

type NewestProps = { query: URLSearchParams; filters?: readonly Filter[]; input?: Record<string, string | number> }

/** A list of one kind of things of a bridge, newest first: all of them, or by `input` those that belong to another thing. */
export const newestList =
  <K extends ListOperation>(list: Omit<ListingProps<K>, 'query' | 'filters' | 'input'>) =>
  ({ query, filters = [], input }: NewestProps) => (
    <Listing {...list} query={query} filters={filters} input={{ sort: 'desc', ...input }} />
  )
