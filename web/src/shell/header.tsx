import { Logo, MoonIcon, SunIcon } from '../parts/icons.tsx'
import { useRoute } from '../router.ts'
import { chooseTheme, useTheme } from '../theme.ts'
import { useCurrentInView } from '../use-current-in-view.ts'
import { NetworkSwitch } from './network-switch.tsx'
import { SearchBox } from './search-box.tsx'
import { StatusPill } from './status-pill.tsx'

/** Place, name, and the places that belong to it. */
const PLACES: [href: string, name: string, kinds: string[]][] = [
  ['/', 'Overview', ['']],
  ['/blocks', 'Blocks', ['blocks', 'block']],
  ['/txs', 'Transactions', ['txs', 'tx']],
  ['/blobs', 'Blobs', ['blobs', 'blob']],
  ['/namespaces', 'Namespaces', ['namespaces', 'namespace']],
  ['/rollups', 'Rollups', ['rollups', 'rollup']],
  ['/validators', 'Validators', ['validators', 'validator']],
  ['/addresses', 'Accounts', ['addresses', 'address']],
  ['/governance', 'Governance', ['governance', 'proposal', 'upgrades', 'upgrade', 'network']],
  ['/ibc', 'Bridges', ['ibc', 'hyperlane', 'forwarding']],
  ['/statistics', 'Statistics', ['statistics']],
  ['/gas', 'Gas', ['gas']],
  ['/webhooks', 'Webhooks', ['webhooks']],
  ['/plans', 'Plans', ['plans']],
]

export function Header() {
  const { path } = useRoute()
  const kind = path[0] ?? ''
  const places = useCurrentInView<HTMLUListElement>(kind)
  return (
    <header class="top">
      <div class="top-row">
        <a class="brand" href="/" aria-label="Astrolabe, overview">
          <Logo />
          <span>Astrolabe</span>
        </a>
        <NetworkSwitch />
        <SearchBox />
        <StatusPill />
        <ThemeButton />
      </div>
      <nav class="places" aria-label="Main">
        <ul ref={places}>
          {PLACES.map(([href, name, kinds]) => (
            <li key={href}>
              <a href={href} aria-current={kinds.includes(kind) ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
          <li>
            <a href="/v1/docs">API docs</a>
          </li>
        </ul>
      </nav>
    </header>
  )
}

function ThemeButton() {
  const theme = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <button
      type="button"
      class="round"
      onClick={() => chooseTheme(other)}
      aria-label={`Use the ${other} theme`}
      title={`Use the ${other} theme`}
    >
      {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
    </button>
  )
}
