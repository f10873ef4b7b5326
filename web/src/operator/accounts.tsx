import { useState } from 'preact/hooks'
import type { readAccountDetails } from '../../../src/operator/account-routes.ts'
import type { readRevenue } from '../../../src/operator/revenue.ts'
import type { AccountRow } from '../../../src/store/access/accounts.ts'
import type { ChangeRow } from '../../../src/store/access/change-log.ts'
import { formatInteger, readableName } from '../format.ts'
import { Empty, Fact, Facts, Panel } from '../parts/panels.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Moment } from '../parts/values.tsx'
import { usePolled } from './use-polled.ts'

type Details = Awaited<ReturnType<typeof readAccountDetails>>
type Key = Details['keys'][number]
type Revenue = Awaited<ReturnType<typeof readRevenue>>
type AskProps = { bearer: string; onRefused: (reason: string) => void }

/** Customers, their keys, what was changed by whom, and what was earned. */
export function Accounts({ isAdmin, ...props }: AskProps & { isAdmin: boolean }) {
  const [chosen, setChosen] = useState<string>()
  const { value: accounts } = usePolled<AccountRow[]>(props.bearer, '/accounts?limit=100', props.onRefused)
  return (
    <>
      <Panel title="Accounts">
        {accounts ? (
          <Table
            caption="Accounts, the first 100"
            columns={accountColumns(setChosen)}
            rows={accounts}
            keyOf={({ account }) => account}
            empty="There are no accounts yet."
          />
        ) : (
          <Empty>Loading…</Empty>
        )}
      </Panel>
      {chosen !== undefined && <Keys key={chosen} account={chosen} {...props} />}
      {isAdmin && <Revenues {...props} />}
      <Log {...props} />
    </>
  )
}

function Keys({ account, bearer, onRefused }: AskProps & { account: string }) {
  const { value: details } = usePolled<Details>(bearer, `/accounts/${account}`, onRefused)
  return (
    <Panel title={`Keys of ${account}`}>
      {details ? (
        <Table
          caption={`Keys of ${account} with their restrictions`}
          columns={keyColumns}
          rows={details.keys}
          keyOf={({ id }) => id}
        />
      ) : (
        <Empty>Loading…</Empty>
      )}
    </Panel>
  )
}

function Revenues({ bearer, onRefused }: AskProps) {
  const { value: revenue } = usePolled<Revenue>(bearer, '/revenue?by=operation', onRefused)
  return (
    <Panel title="Revenue">
      {revenue ? (
        <>
          <Facts>
            <Fact name="Received">
              {revenue.usd} USD{' '}
              <span class="muted">
                from {revenue.from} to {revenue.to}
              </span>
            </Fact>
            <Fact name="Refunded">
              {revenue.refunded.usd} USD <span class="muted">of {revenue.refunded.payments} payments, which are in the sums</span>
            </Fact>
          </Facts>
          <Table
            caption="Revenue per plan"
            columns={revenueColumns('Plan')}
            rows={revenue.plans}
            keyOf={({ name }) => name}
            empty="No plan was sold in these days."
          />
          <Table
            caption="Revenue per operation"
            columns={revenueColumns('Operation')}
            rows={revenue.rows}
            keyOf={({ name }) => name}
            empty="Nothing was sold in these days."
          />
        </>
      ) : (
        <Empty>Loading…</Empty>
      )}
    </Panel>
  )
}

function Log({ bearer, onRefused }: AskProps) {
  const { value: changes } = usePolled<ChangeRow[]>(bearer, '/log?limit=50', onRefused)
  return (
    <Panel title="Log of changes">
      {changes ? (
        <Table
          caption="Changes of accounts, keys and rollups, newest first"
          columns={changeColumns}
          rows={changes}
          keyOf={({ number }) => number}
          empty="Nothing was changed yet."
        />
      ) : (
        <Empty>Loading…</Empty>
      )}
    </Panel>
  )
}

const accountColumns = (choose: (account: string) => void): Column<AccountRow>[] => [
  { title: 'Account', cell: ({ account }) => account },
  { title: 'Name', cell: ({ name }) => <span class="break">{name}</span> },
  { title: 'Plan', cell: ({ plan }) => plan },
  { title: 'Valid until', cell: ({ valid_until }) => (valid_until ? <Moment time={valid_until} /> : 'no end') },
  { title: 'Requests, 31 days', end: true, cell: ({ requests }) => formatInteger(requests) },
  {
    title: 'Keys',
    end: true,
    cell: ({ account, active_keys }) => (
      <button type="button" aria-label={`${formatInteger(active_keys)} keys of ${account}`} onClick={() => choose(account)}>
        {formatInteger(active_keys)}
      </button>
    ),
  },
]

const STATES: Record<Key['state'], string> = { active: 'good', expired: 'warn', revoked: 'bad' }

const keyColumns: Column<Key>[] = [
  { title: 'Key', cell: ({ key }) => key },
  { title: 'Name', cell: ({ name }) => <span class="break">{name}</span> },
  { title: 'State', cell: ({ state }) => <span class={`badge ${STATES[state]}`}>{state}</span> },
  { title: 'Until', cell: ({ expires_at }) => (expires_at ? <Moment time={expires_at} /> : 'no end') },
  { title: 'Last used', cell: ({ last_used }) => last_used ?? 'never' },
  { title: 'Restrictions', cell: ({ restrictions }) => <span class="break">{describeLists(restrictions)}</span> },
]

const describeLists = (lists: Record<string, string[]>): string =>
  Object.entries(lists)
    .map(([name, items]) => `${name}: ${items.join(', ')}`)
    .join('; ') || 'none'

const revenueColumns = (title: string): Column<Revenue['rows'][number]>[] => [
  { title, cell: ({ name }) => name },
  { title: 'Payments', end: true, cell: ({ payments }) => formatInteger(payments) },
  { title: 'USD', end: true, cell: ({ usd }) => usd },
]

const changeColumns: Column<ChangeRow>[] = [
  { title: 'Time', cell: ({ at }) => <Moment time={at} /> },
  { title: 'By', cell: ({ actor_kind, actor }) => `${actor_kind} ${actor}` },
  { title: 'Change', cell: ({ action }) => readableName(action) },
  { title: 'Account', cell: ({ account }) => account ?? '' },
  { title: 'Key', cell: ({ key_id }) => key_id ?? '' },
  { title: 'Details', wide: true, cell: ({ details }) => <span class="break">{JSON.stringify(details)}</span> },
]
