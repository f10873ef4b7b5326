import type { Line } from './line.ts'

/** Which colour of a chart is which line. */
export const Legend = ({ lines }: { lines: readonly Line[] }) => (
  <ul class="legend" aria-label="Lines">
    {lines.map(({ name, colour }, i) => (
      <li key={name}>
        <span class="swatch" style={{ background: colour ?? `var(--chart-${i + 1})` }} aria-hidden="true" />
        {name}
      </li>
    ))}
  </ul>
)
