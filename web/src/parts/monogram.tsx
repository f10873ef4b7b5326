import { textOn } from '../figures/contrast.ts'
import { rollupColour } from '../namespace.ts'

/** Pictures that stand in the registry itself: nothing is loaded from other sites here. */
const EMBEDDED = /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/

/** The logo of a rollup, or its first letters on its colour. */
export function Monogram({ name, logo }: { name: string; logo?: string | undefined }) {
  if (logo && EMBEDDED.test(logo)) return <img class="monogram" src={logo} alt="" width={32} height={32} />
  const letters = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0])
    .join('')
  const background = rollupColour(name)
  // Colours that follow from a name are light enough for black.
  const color = background.startsWith('#') ? textOn(background) : '#000000'
  return (
    <span class="monogram" style={{ background, color }} aria-hidden="true">
      {letters}
    </span>
  )
}
