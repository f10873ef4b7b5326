import type { ComponentChildren } from 'preact'
import type { PagePlace } from '../../../src/types/page-places.ts'
import { Title } from '../shell/title.tsx'
import { Siblings } from './siblings.tsx'
import { Tabs } from './tabs.tsx'

type BridgeProps<T extends string> = {
  name: string
  place: PagePlace
  tabs: readonly (readonly [T, string])[]
  query: URLSearchParams
  /** what stands above the tabs */
  summary: ComponentChildren
  children: (tab: T) => ComponentChildren
}

/** A way to other chains: what it moves, and the parts it is made of. */
export const Bridge = <T extends string>({ name, place, tabs, query, summary, children }: BridgeProps<T>) => (
  <>
    <Title text={name} actions={<Siblings family="bridges" current={place} />} />
    {summary}
    <Tabs label={`Parts of ${name}`} place={[place]} tabs={tabs} query={query}>
      {children}
    </Tabs>
  </>
)
