import type { Plan } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatInteger } from '../../format.ts'
import { ActionStatus } from '../../parts/action-status.tsx'
import { Await, Panel } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Title } from '../../shell/title.tsx'
import { useAction } from '../../use-action.ts'
import { useLoad } from '../../use-load.ts'
import { buyPlan, priceOf } from './buy-plan.ts'
import { OwnKey } from './own-key.tsx'

const orNone = (value: number | null) => (value === null ? 'no limit' : formatInteger(value))

const columns: Column<Plan>[] = [
  { title: 'Plan', cell: ({ name, description }) => (description ? `${name}: ${description}` : name) },
  { title: 'Price', end: true, cell: priceOf },
  { title: 'Points per second', end: true, cell: (plan) => formatInteger(plan.requests_per_second) },
  { title: 'Points per day', end: true, wide: true, cell: (plan) => orNone(plan.daily_quota) },
  { title: 'WebSockets', end: true, wide: true, cell: (plan) => formatInteger(plan.websocket_connections) },
  { title: 'Webhooks', end: true, wide: true, cell: (plan) => formatInteger(plan.webhooks) },
]

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
      {loaded.state === 'ready' && <Keys plans={loaded.value.filter(({ sold }) => sold)} />}
    </>
  )
}

const Keys = ({ plans }: { plans: Plan[] }) => (
  <>
    {plans.length > 0 && <Purchase plans={plans} />}
    <OwnKey plans={plans} />
  </>
)

function Purchase({ plans }: { plans: Plan[] }) {
  const action = useAction()
  const buy = (url: string) =>
    void action.run(async () => {
      const { key, account, plan, valid_until: end } = await buyPlan(url)
      return { isGood: true, text: `Your key, shown once: ${key} (plan ${plan} of account ${account} until ${end})` }
    })
  return (
    <Panel title="Buy a key">
      <div class="filters">
        {plans.map((plan) => (
          <button key={plan.name} type="button" disabled={action.isRunning} onClick={() => buy(plan.buy_url!)}>
            Buy {plan.name} for {priceOf(plan)}
          </button>
        ))}
      </div>
      <p class="muted">
        Your wallet signs one transfer of this price. If the answer is lost, press the button again: the same payment is not
        charged twice.
      </p>
      <ActionStatus action={action} />
    </Panel>
  )
}
