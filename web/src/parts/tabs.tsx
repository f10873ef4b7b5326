import { linkTo } from '../router.ts'
import { Choice } from './blocks.tsx'

/** Parts of a place; the first stands without a name in the address. */
export function Tabs({ label, place, tabs, chosen }: TabsProps) {
  return (
    <Choice
      label={label}
      options={tabs.map(([name, text], i) => ({
        name: text,
        href: linkTo(place, { tab: i === 0 ? undefined : name }),
        isChosen: name === chosen,
      }))}
    />
  )
}

type TabsProps = { label: string; place: (string | number)[]; tabs: readonly (readonly [string, string])[]; chosen: string }

/** The part that the address names, or the first. */
export const readTab = <T extends string>(tabs: readonly (readonly [T, string])[], query: URLSearchParams): T =>
  tabs.find(([name]) => name === query.get('tab'))?.[0] ?? tabs[0]![0]
