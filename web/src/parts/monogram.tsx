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
  return (
    <span class={isLight(background) ? 'monogram on-light' : 'monogram'} style={{ background }} aria-hidden="true">
      {letters}
    </span>
  )
}

/** Whether dark letters are easier to read on it. */
function isLight(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (/^#([0-9a-f]{6})$/i.exec(colour)?.[1]?.match(/../g) ?? []).map((part) =>
    Number.parseInt(part, 16),
  )
  return 0.299 * red + 0.587 * green + 0.114 * blue > 128 || colour.startsWith('oklch')
}
