import type { SignalVersion, Upgrade } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatCompact, formatInteger, formatPercent, readableName } from '../../format.ts'
import { Limit } from '../../parts/limit.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Await, Fact, Facts, Meter, Panel } from '../../parts/panels.tsx'
import { Siblings } from '../../parts/siblings.tsx'
import type { Column } from '../../parts/table.tsx'
import { AddressLink, Ago, BlockLink, TxLink, ValidatorLink } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'
import { AccountFact, EventFact } from '../bridges/shared-facts.tsx'

const upgradeColumns: Column<Upgrade>[] = [
  { title: 'Version', cell: ({ version }) => <a href={linkTo(['upgrade', version])}>v{version}</a> },
  {
    title: 'State',
    cell: ({ status }) => <UpgradeState status={status} />,
  },
  {
    title: 'Power',
    end: true,
    cell: (upgrade) => {
      const part = powerOf(upgrade)
      return (
        <>
          {formatPercent(part)} <Meter part={part} label={`${formatPercent(part)} of the voting power signals`} />
        </>
      )
    },
  },
  { title: 'Signals', end: true, wide: true, cell: ({ signals_count }) => formatInteger(signals_count) },
  { title: 'Tried by', wide: true, cell: ({ signer }) => (signer ? <AddressLink address={signer} /> : '–') },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const signalColumns: Column<SignalVersion>[] = [
  { title: 'Validator', cell: ({ validator }) => (validator ? <ValidatorLink validator={validator} /> : '–') },
  { title: 'Version', cell: ({ version }) => `v${version}` },
  { title: 'Power', end: true, wide: true, cell: ({ voting_power }) => formatCompact(Number(voting_power)) },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Transaction', wide: true, cell: ({ tx_hash }) => <TxLink hash={tx_hash} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const SIGNAL_FILTERS = [
  { name: 'version', label: 'Version' },
  { name: 'validator_id', label: 'Validator id' },
  { name: 'tx_hash', label: 'Transaction' },
]

export function UpgradesPage({ query }: { query: URLSearchParams }) {
  return (
    <>
      <Title text="Upgrades" actions={<Siblings family="governance" current="upgrades" />} />
      <Panel title="Upgrades of the application">
        <Listing
          caption="Upgrades, newest first"
          operation="listUpgrades"
          input={{ sort: 'desc' }}
          columns={upgradeColumns}
          keyOf={({ version, height }) => `${version} ${height}`}
          query={NO_QUERY}
          empty="No upgrade has been tried yet."
        />
      </Panel>
      <Panel title="Signals of validators">
        <Signals query={query} filters={SIGNAL_FILTERS} />
      </Panel>
    </>
  )
}

/** The pages of the address are those of the second list. */
const NO_QUERY = new URLSearchParams()

export function UpgradePage({ version, query }: { version: number; query: URLSearchParams }) {
  const loaded = useLoad((signal) => api.getUpgrade({ version }, { signal }), `upgrade ${version}`)
  return (
    <>
      <Title text={`Upgrade to version ${version}`} />
      <Panel title="Summary">
        <Await loaded={loaded} missing="This upgrade has not been tried yet.">
          {(upgrade) => <UpgradeFacts upgrade={upgrade} />}
        </Await>
      </Panel>
      <Panel title="Signals for it">
        <Signals query={query} input={{ version }} />
      </Panel>
    </>
  )
}

/** The chain upgrades when five sixths of the power ask for it. */
const UPGRADE_SHARE = String(5 / 6)

function UpgradeFacts({ upgrade }: { upgrade: Upgrade }) {
  return (
    <>
      <div class="limits">
        <Limit name="Power that signals" part={powerOf(upgrade)} limit={UPGRADE_SHARE} remark="needed" />
      </div>
      <Facts>
        <Fact name="State">
          <UpgradeState status={upgrade.status} />
        </Fact>
        <Fact name="Signals">{formatInteger(upgrade.signals_count)}</Fact>
        <EventFact name="Tried" time={upgrade.time} height={upgrade.height} hash={upgrade.tx_hash} />
        <AccountFact name="Tried by" address={upgrade.signer} />
        {upgrade.applied_at && upgrade.applied_at_level !== undefined && (
          <EventFact name="Applied" time={upgrade.applied_at} height={upgrade.applied_at_level} />
        )}
      </Facts>
    </>
  )
}

const powerOf = ({ voted_power, voting_power }: Upgrade) =>
  Number(voting_power) > 0 ? Number(voted_power) / Number(voting_power) : 0

const UpgradeState = ({ status }: { status: Upgrade['status'] }) => (
  <span class={`badge ${status === 'applied' ? 'good' : 'warn'}`}>{readableName(status)}</span>
)

type SignalsProps = { query: URLSearchParams; input?: { version: number }; filters?: typeof SIGNAL_FILTERS }

const Signals = ({ query, input, filters = [] }: SignalsProps) => (
  <Listing
    caption="Signals, newest first"
    operation="listSignals"
    input={{ sort: 'desc', ...input }}
    filters={filters}
    columns={signalColumns}
    keyOf={({ id }) => id}
    query={query}
    empty="No validator has signalled."
  />
)
