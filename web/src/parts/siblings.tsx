import type { PagePlace } from '../../../src/types/page-places.ts'
import { linkTo } from '../router.ts'
import { Choice } from './panels.tsx'

/** Places that share one entry of the main navigation. */
const FAMILIES = {
  bridges: [
    ['ibc', 'IBC'],
    ['hyperlane', 'Hyperlane'],
    ['forwarding', 'Forwarding'],
  ],
  governance: [
    ['governance', 'Proposals'],
    ['upgrades', 'Upgrades'],
    ['network', 'Parameters'],
  ],
} as const satisfies Record<string, readonly (readonly [PagePlace, string])[]>

export function Siblings({ family, current }: { family: keyof typeof FAMILIES; current: PagePlace }) {
  return (
    <Choice
      label={`Parts of ${family}`}
      options={FAMILIES[family].map(([place, name]) => ({ name, href: linkTo([place]), isChosen: place === current }))}
    />
  )
}
