import type { ComponentChildren } from 'preact'
import { addressOf, api } from '../api.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'
import { Data } from './data.tsx'
import { Await, Panel } from './panels.tsx'
import type { OneOperation, ThingOf } from './record-operation.ts'

type ThingProps<K extends OneOperation> = {
  title: string
  operation: K
  id: string | number
  missing: string
  children?: (thing: ThingOf<K>) => ComponentChildren
}

/** One thing of the API with all that is known of it; `children` are what belongs to it. */
export function Thing<K extends OneOperation>({ title, operation, id, missing, children }: ThingProps<K>) {
  const ask = api[operation] as (
    input: { id: string | number },
    options: { signal: AbortSignal },
  ) => Promise<ThingOf<K> | undefined>
  const loaded = useLoad((signal) => ask({ id }, { signal }), `${operation} ${id}`)
  return (
    <>
      <Title text={title} actions={<a href={addressOf(operation, { id })}>JSON</a>} />
      <Await loaded={loaded} rows={8} missing={missing}>
        {(thing) => (
          <>
            <Panel title="Summary">
              <Data value={thing} />
            </Panel>
            {children?.(thing)}
          </>
        )}
      </Await>
    </>
  )
}
