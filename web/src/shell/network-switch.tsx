import { useEffect, useRef } from 'preact/hooks'
import { useLive } from '../live.ts'
import { reachable, site } from '../networks.ts'
import { DownIcon } from '../parts/icons.tsx'

/** Every network has its own address, so switching is following a link. */
export function NetworkSwitch() {
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
  if (!site) return null
  const { current, networks } = site
  return (
    <details class="network" ref={menu}>
      <summary aria-label={`Network ${current}, choose another`}>
        <span class={`kind ${kindOf(current, networks)}`} aria-hidden="true" />
        {current}
        <DownIcon />
      </summary>
      <ul>
        {networks.map(({ name, kind, url, chain_id }) => {
          const isHere = name === current
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
