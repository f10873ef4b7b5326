import type { ComponentChildren } from 'preact'
import { ApiRecord, type OneOperation, type RecordOf } from '../../parts/record.tsx'

export type ThingProps = { id: string; query: URLSearchParams }

type Thing<K extends OneOperation> = {
  name: string
  operation: K
  facts: (record: RecordOf<K>) => ComponentChildren
  /** the lists that belong to it */
  parts?: (props: ThingProps & { record: RecordOf<K> }) => ComponentChildren
}

/** The page of one kind of things of a bridge: its facts, and below them what belongs to it. */
export const thingPage =
  <K extends OneOperation>({ name, operation, facts, parts }: Thing<K>) =>
  ({ id, query }: ThingProps) => (
    <ApiRecord title={`${name} ${id}`} operation={operation} id={id} facts={facts}>
      {(record) => parts?.({ id, query, record })}
    </ApiRecord>
  )
