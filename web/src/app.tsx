import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { isPagePath } from '../../src/types/page-places.ts'
import { useLive } from './live.ts'
import { AddressPage } from './pages/accounts/account.tsx'
import { AddressesPage } from './pages/accounts/accounts.tsx'
import { BlobPage } from './pages/chain/blob.tsx'
import { BlobsPage } from './pages/chain/blobs.tsx'
import { BlockPage } from './pages/chain/block.tsx'
import { BlocksPage } from './pages/chain/blocks.tsx'
import { NamespacePage } from './pages/chain/namespace.tsx'
import { NamespacesPage } from './pages/chain/namespaces.tsx'
import { TxPage } from './pages/chain/tx.tsx'
import { TxsPage } from './pages/chain/txs.tsx'
import { GovernancePage } from './pages/governance/governance.tsx'
import { ProposalPage } from './pages/governance/proposal.tsx'
import { BrokenPage, NoStatePage, NotFoundPage } from './pages/not-found.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { RollupPage } from './pages/rollups/rollup.tsx'
import { RollupsPage } from './pages/rollups/rollups.tsx'
import { GasPage } from './pages/statistics/gas.tsx'
import { StatisticsPage } from './pages/statistics/statistics.tsx'
import { ValidatorPage } from './pages/validators/validator.tsx'
import { ValidatorsPage } from './pages/validators/validators.tsx'
import { Announcer } from './parts/announcer.tsx'
import { Await } from './parts/panels.tsx'
import { type Route, useRoute } from './router.ts'
import { Footer } from './shell/footer.tsx'
import { Header } from './shell/header.tsx'
import { DemoBanner, Notice } from './shell/notice.tsx'
import { useLoad } from './use-load.ts'

export function App() {
  const route = useRoute()
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <Header />
      <main id="main" tabIndex={-1}>
        <DemoBanner />
        <Notice />
        {/* A new place is a new page: nothing of the old one stays. */}
        <Page key={route.path.join('/')} route={route} />
      </main>
      <Footer />
      <Announcer />
    </>
  )
}

/** Page with an error boundary: a failed view says so and keeps the navigation usable. */
function Page({ route }: { route: Route }) {
  const [error] = useErrorBoundary((thrown) => console.error(thrown))
  const isStateless = useLive(({ head }) => head?.no_state_before !== undefined)
  const isRefused = isStateless && STATE_PAGES.has(route.path[0] ?? '')
  return <div class="page">{error ? <BrokenPage /> : isRefused ? <NoStatePage /> : pageOf(route)}</div>
}

/** A page of the second file, which is loaded with the first of them. */
function RarePage({ draw }: { draw: (pages: typeof import('./pages/rare.ts')) => ComponentChildren }) {
  const loaded = useLoad(() => import('./pages/rare.ts'), 'rare pages')
  return (
    <Await loaded={loaded} rows={20}>
      {draw}
    </Await>
  )
}

/** Places about nothing but the state of the chain, which an index that began without it does not have. */
const STATE_PAGES = new Set([
  'addresses',
  'address',
  'validators',
  'validator',
  'governance',
  'proposal',
  'upgrades',
  'upgrade',
  'forwarding',
  'ibc',
  'hyperlane',
  'network',
])

function pageOf({ path, query, text }: Route) {
  if (!isPagePath(text.split('?')[0]!)) return <NotFoundPage />
  const [kind, first, second, third] = path
  if (kind === undefined) return <OverviewPage />
  if (kind === 'blocks') return <BlocksPage query={query} />
  if (kind === 'block' && first) return <BlockPage height={Number(first)} query={query} />
  if (kind === 'txs') return <TxsPage query={query} />
  if (kind === 'tx' && first) return <TxPage hash={first} query={query} />
  if (kind === 'addresses') return <AddressesPage query={query} />
  if (kind === 'address' && first) return <AddressPage hash={first} query={query} />
  if (kind === 'namespaces') return <NamespacesPage query={query} />
  if (kind === 'namespace' && first && second) return <NamespacePage id={first} version={Number(second)} query={query} />
  if (kind === 'blob' && first && second && third)
    return <BlobPage height={Number(first)} namespace={second} commitment={third} />
  if (kind === 'blobs') return <BlobsPage query={query} />
  if (kind === 'governance') return <GovernancePage query={query} />
  if (kind === 'proposal' && first) return <ProposalPage id={Number(first)} query={query} />
  if (kind === 'upgrades') return <RarePage draw={({ UpgradesPage }) => <UpgradesPage query={query} />} />
  if (kind === 'upgrade' && first)
    return <RarePage draw={({ UpgradePage }) => <UpgradePage version={Number(first)} query={query} />} />
  if (kind === 'forwarding' && first === undefined)
    return <RarePage draw={({ ForwardingsPage }) => <ForwardingsPage query={query} />} />
  if (kind === 'forwarding' && first) return <RarePage draw={({ ForwardingPage }) => <ForwardingPage id={Number(first)} />} />
  if (kind === 'ibc' && first === undefined) return <RarePage draw={({ IbcPage }) => <IbcPage query={query} />} />
  if (kind === 'ibc' && first && second)
    return <RarePage draw={({ IbcDetailPage }) => <IbcDetailPage kind={first} id={second} query={query} />} />
  if (kind === 'hyperlane' && first === undefined)
    return <RarePage draw={({ HyperlanePage }) => <HyperlanePage query={query} />} />
  if (kind === 'hyperlane' && first && second)
    return <RarePage draw={({ HyperlaneDetailPage }) => <HyperlaneDetailPage kind={first} id={second} query={query} />} />
  if (kind === 'network') return <RarePage draw={({ NetworkPage }) => <NetworkPage />} />
  if (kind === 'validators') return <ValidatorsPage />
  if (kind === 'validator' && first) return <ValidatorPage id={Number(first)} query={query} />
  if (kind === 'rollups') return <RollupsPage query={query} />
  if (kind === 'rollup' && first) return <RollupPage slug={first} query={query} />
  if (kind === 'statistics') return <StatisticsPage query={query} />
  if (kind === 'gas') return <GasPage />
  if (kind === 'plans') return <RarePage draw={({ PlansPage }) => <PlansPage />} />
  if (kind === 'webhooks') return <RarePage draw={({ WebhooksPage }) => <WebhooksPage query={query} />} />
  if (kind === 'data') return <RarePage draw={({ DataPage }) => <DataPage query={query} />} />
  if (kind === 'search') return <RarePage draw={({ SearchPage }) => <SearchPage query={query} />} />
  return <NotFoundPage />
}
