import type { ComponentChildren } from 'preact'
import type { Operations } from '../../../src/client/gen/operations.ts'
import { addressOf, api } from '../api.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'
import { Await, Facts, Panel } from './panels.tsx'

type RecordProps<K extends OneOperation> = {
  title: string
  operation: K
  id: string | number
  missing?: ComponentChildren
  /** the summary: its facts in the order in which they matter */
  facts: (record: RecordOf<K>) => ComponentChildren
  children?: (record: RecordOf<K>) => ComponentChildren
}

/** One record of the API; `children` are the lists that belong to it. */
export function ApiRecord<K extends OneOperation>({ title, operation, id, missing, facts, children }: RecordProps<K>) {
  const ask = api[operation] as (
    input: { id: string | number },
    options: { signal: AbortSignal },
  ) => Promise<RecordOf<K> | undefined>
  const loaded = useLoad((signal) => ask({ id }, { signal }), `${operation} ${id}`)
  return (
    <>
      <Title text={title} actions={<a href={addressOf(operation, { id })}>JSON</a>} />
      <Await loaded={loaded} rows={8} missing={missing}>
        {(record) => (
          <>
            <Panel title="Summary">
              <Facts>{facts(record)}</Facts>
            </Panel>
            {children?.(record)}
          </>
        )}
      </Await>
    </>
  )
}

/** Operations that answer one record by its id. */
export type OneOperation = {
  [K in keyof Operations]: Operations[K]['input'] extends { id: string | number }
    ? keyof Operations[K]['input'] extends 'id'
      ? K
      : never
    : never
}[keyof Operations]

export type RecordOf<K extends OneOperation> = NonNullable<Operations[K]['answer']>
