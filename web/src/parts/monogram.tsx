import { textOn } from '../figures/contrast.ts'
import { hueOf } from '../namespace.ts'

/** First letters on the rollup's colour: its logo stands on another site, and nothing is loaded from others here. */
export function Monogram({ name, color }: { name: string; color?: string | undefined }) {
  const letters = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0])
    .join('')
  const colours =
    color && /^#[0-9a-f]{6}$/i.test(color)
      ? { background: color, color: textOn(color) }
      : { background: `oklch(0.45 0.1 ${hueOf(name)})` }
  return (
    <span class="monogram" style={colours} aria-hidden="true">
      {letters}
    </span>
  )
}
