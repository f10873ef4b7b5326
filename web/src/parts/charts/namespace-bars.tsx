import type { NamespaceUsage } from '../../../../src/client/gen/operations.ts'
import { formatBytes } from '../../format.ts'
import { base64Of, colourOf } from '../../namespace.ts'
import { linkTo } from '../../router.ts'
import { Bars } from './bars.tsx'

/** How much each namespace holds; the sum of those that are not among the largest leads nowhere. */
export function NamespaceBars({ rows }: { rows: readonly NamespaceUsage[] }) {
  return (
    <Bars
      label="Blob data by namespace"
      format={formatBytes}
      rows={rows
        .filter(({ size }) => size > 0)
        .map(({ name, size, namespace_id, version }) => ({
          name: name || 'zero',
          value: size,
          ...(namespace_id !== undefined &&
            version !== undefined && {
              href: linkTo(['namespace', namespace_id, version]),
              colour: colourOf(base64Of(version, namespace_id)),
            }),
        }))}
    />
  )
}
