import type { ComponentChildren } from 'preact'
import { linkTo } from '../router.ts'
import { Choice, Panel } from './panels.tsx'

type TabsProps<T extends string> = {
  /** what the tabs are parts of */
  label: string
  place: (string | number)[]
  /** the first stands without a name in the address */
  tabs: readonly (readonly [T, string])[]
  query: URLSearchParams
  children: (tab: T) => ComponentChildren
}

/** Parts of a place, of which the address names one. */
export function Tabs<T extends string>({ label, place, tabs, query, children }: TabsProps<T>) {
  const [chosen, title] = tabs.find(([name]) => name === query.get('tab')) ?? tabs[0]!
  return (
    <Panel
      title={title}
      actions={
        <Choice
          label={label}
          options={tabs.map(([name, text], i) => ({
            name: text,
            href: linkTo(place, { tab: i === 0 ? undefined : name }),
            isChosen: name === chosen,
          }))}
        />
      }
    >
      {children(chosen)}
    </Panel>
  )
}
