import { useEffect, useRef } from 'preact/hooks'
import { useLive } from '../live.ts'
import { reachable, useNetworks } from '../networks.ts'
import { DownIcon } from '../parts/icons.tsx'

/** Every network has an address of its own, so switching is following a link. */
export function NetworkSwitch() {
  const known = useNetworks()
  const chainId = useLive(({ head }) => head?.chain_id)
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const isKey = event instanceof KeyboardEvent
      if (!menu.current?.open || (isKey && event.key !== 'Escape')) return
      if (!isKey && event.target instanceof Node && menu.current.contains(event.target)) return
      menu.current.open = false
      if (isKey) menu.current.querySelector('summary')?.focus()
    }
    addEventListener('click', close)
    addEventListener('keydown', close)
    return () => {
      removeEventListener('click', close)
      removeEventListener('keydown', close)
    }
  }, [])
  if (!known) return <span class="network-name muted">{chainId ?? ''}</span>
  return (
    <details class="network" ref={menu}>
      <summary aria-label={`Network ${known.current}, choose another`}>
        <span class={`kind ${kindOf(known.current, known.networks)}`} aria-hidden="true" />
        {known.current}
        <DownIcon />
      </summary>
      <ul>
        {known.networks.map(({ name, kind, url, chain_id }) => {
          const isHere = name === known.current
          return (
            <li key={name}>
              <a class="network-link" href={isHere ? '/' : reachable(url)} aria-current={isHere ? 'true' : undefined}>
                <span class={`kind ${kind}`} aria-hidden="true" />
                <span>
                  {name}
                  <small>
                    {(isHere ? chainId : undefined) ?? chain_id ?? (kind === 'main' ? 'main network' : 'test network')}
                  </small>
                </span>
              </a>
            </li>
          )
        })}
      </ul>
    </details>
  )
}

const kindOf = (current: string, networks: { name: string; kind: string }[]) =>
  networks.find(({ name }) => name === current)?.kind ?? 'main'
