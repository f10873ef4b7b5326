import { readRange } from '../period.ts'
import { goTo, linkHere, useRoute } from '../router.ts'
import { Choice } from './panels.tsx'

const NAMES = [
  ['7d', '7 d'],
  ['30d', '30 d'],
  ['1y', '1 y'],
  ['all', 'all'],
  ['custom', 'custom'],
] as const

const DEFAULT = '30d'

/** The range of all charts of the page, as part of its address. */
export function RangeChoice() {
  const { query } = useRoute()
  const chosen = readRange(query)
  const day = (name: 'since' | 'until', label: string) => (
    <input
      type="date"
      aria-label={label}
      value={query.get(name) ?? ''}
      onChange={(event) => goTo(linkHere({ [name]: event.currentTarget.value }))}
    />
  )
  return (
    <>
      <Choice
        label="Range of the charts"
        options={NAMES.map(([value, name]) => ({
          name,
          href: linkHere({
            range: value === DEFAULT ? undefined : value,
            ...(value !== 'custom' && { since: undefined, until: undefined }),
          }),
          isChosen: value === chosen,
        }))}
      />
      {chosen === 'custom' && (
        <span class="range-days">
          {day('since', 'First day of the charts')}
          {day('until', 'Last day of the charts')}
        </span>
      )}
    </>
  )
}
