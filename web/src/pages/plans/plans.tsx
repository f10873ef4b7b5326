import { useState } from 'preact/hooks'
import type { Plan } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatInteger } from '../../format.ts'
import { ActionStatus } from '../../parts/action-status.tsx'
import { Await, Panel } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Title } from '../../shell/title.tsx'
import { useAction } from '../../use-action.ts'
import { useLoad } from '../../use-load.ts'
import { buyPlan } from './buy-plan.ts'

const orNone = (value: number | null) => (value === null ? 'no limit' : formatInteger(value))

const columns: Column<Plan>[] = [
  { title: 'Plan', cell: ({ name, description }) => (description ? `${name}: ${description}` : name) },
  { title: 'Price', end: true, cell: priceOf },
  { title: 'Points per second', end: true, cell: (plan) => formatInteger(plan.requests_per_second) },
  { title: 'Points per day', end: true, wide: true, cell: (plan) => orNone(plan.daily_quota) },
  { title: 'WebSockets', end: true, wide: true, cell: (plan) => formatInteger(plan.websocket_connections) },
  { title: 'Webhooks', end: true, wide: true, cell: (plan) => formatInteger(plan.webhooks) },
]

function priceOf({ name, price_usd: price, period_days: days }: Plan): string {
  if (price === null) return name === 'free' ? 'free' : 'on request'
  return `${price.replace(/\.?0+$/, '')} USD for ${days} days`
}

/** Plans with their limits and prices, and a key for who pays. */
export function PlansPage() {
  const loaded = useLoad((signal) => api.listPlans({}, { signal }), 'plans')
  return (
    <>
      <Title text="Plans">
        <p class="muted">A key in the header apikey raises the limits of the API. Keys are paid in USDC, without an account.</p>
      </Title>
      <Panel title="Plans">
        <Await loaded={loaded} rows={3}>
          {(plans) => <Table caption="Plans with limits and prices" columns={columns} rows={plans} keyOf={({ name }) => name} />}
        </Await>
      </Panel>
      {loaded.state === 'ready' && <Purchase plans={loaded.value.filter(({ sold }) => sold)} />}
    </>
  )
}

function Purchase({ plans }: { plans: Plan[] }) {
  const action = useAction()
  const [apikey, setKey] = useState('')
  const buy = (url: string) =>
    void action.run(async () => {
      const { key, account, plan, valid_until: end } = await buyPlan(url, apikey.trim())
      const until = `plan ${plan} of account ${account} until ${end}`
      return { isGood: true, text: key ? `Your key, shown once: ${key} (${until})` : `Renewed: ${until}` }
    })
  if (plans.length === 0) return null
  return (
    <Panel title="Buy a key">
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Key to renew (empty for a new one)</span>
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={apikey}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        {plans.map((plan) => (
          <button key={plan.name} type="button" disabled={action.isRunning} onClick={() => buy(plan.buy_url!)}>
            Buy {plan.name} for {priceOf(plan)}
          </button>
        ))}
      </form>
      <p class="muted">
        Your wallet signs one transfer of this price. If the answer is lost, press the button again: the same payment is not
        charged twice.
      </p>
      <ActionStatus action={action} />
    </Panel>
  )
}
