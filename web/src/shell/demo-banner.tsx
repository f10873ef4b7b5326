import { useNetworks } from '../networks.ts'

/** Says that the blocks are generated, so that they are not mistaken for a real network's. */
export function DemoBanner() {
  const known = useNetworks()
  const isDemo = known?.networks.some(({ name, demo }) => demo && name === known.current)
  if (!isDemo) return null
  return (
    <p class="notice">
      <strong>Demo chain.</strong> Its blocks are generated on this machine: accounts, amounts and rollups are made up.
    </p>
  )
}
