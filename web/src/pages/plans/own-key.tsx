import { useState } from 'preact/hooks'
import { ApiError, createClient } from '../../../../src/client/client.ts'
import type { Plan } from '../../../../src/client/gen/operations.ts'
import { askPatiently } from '../../api.ts'
import { ActionStatus } from '../../parts/action-status.tsx'
import { Fact, Facts, Panel } from '../../parts/panels.tsx'
import { Moment } from '../../parts/values.tsx'
import { useAction } from '../../use-action.ts'
import { buyPlan, priceOf } from './buy-plan.ts'

/** A key in force, or why one that ended is refused. */
type Seen = { id: string; account: string; plan: string; until: string | null } | { ended: string }

const openWith = (apiKey: string) => createClient({ baseUrl: '', apiKey, fetch: askPatiently })

/** How a key stands, for its holder, who can renew it, also after its end, or have another in its place. */
export function OwnKey({ plans }: { plans: Plan[] }) {
  const [key, setKey] = useState('')
  const [seen, setSeen] = useState<Seen>()
  const action = useAction()
  const show = () =>
    void action.run(async () => {
      setSeen(undefined)
      setSeen(await look(key))
      return { isGood: true, text: 'This is how the key stands.' }
    })
  const renew = (url: string) =>
    void action.run(async () => {
      const { key_id: id, account, plan, valid_until: until } = await buyPlan(url, key)
      setSeen({ id, account, plan, until })
      return { isGood: true, text: `Renewed: plan ${plan} of account ${account} until ${until}` }
    })
  const rotate = (old: Exclude<Seen, { ended: string }>) =>
    void action.run(async () => {
      const api = openWith(key)
      const { id, text, expires_at: until, old_key_until: end } = await api.rotateKey({ id: old.id })
      setKey(text)
      setSeen({ ...old, id, until })
      return { isGood: true, text: `The new key, shown once: ${text} (the old one works until ${end})` }
    })
  return (
    <Panel title="Your key">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          show()
        }}
      >
        <label class="long">
          <span>API key</span>
          <input
            type="password"
            required
            autocomplete="off"
            spellcheck={false}
            value={key}
            onInput={(event) => {
              setKey(event.currentTarget.value.trim())
              setSeen(undefined)
            }}
          />
        </label>
        <button type="submit" disabled={action.isRunning}>
          Show
        </button>
      </form>
      {seen && <Standing seen={seen} />}
      {seen && (
        <div class="filters">
          {plans.map((plan) => (
            <button key={plan.name} type="button" disabled={action.isRunning} onClick={() => renew(plan.buy_url!)}>
              Renew with {plan.name} for {priceOf(plan)}
            </button>
          ))}
          {'id' in seen && (
            <button type="button" disabled={action.isRunning} onClick={() => rotate(seen)}>
              Rotate
            </button>
          )}
        </div>
      )}
      <p class="muted">The key is sent to this service only, and stored nowhere.</p>
      <ActionStatus action={action} />
    </Panel>
  )
}

const Standing = ({ seen }: { seen: Seen }) =>
  'ended' in seen ? (
    <Facts>
      <Fact name="State">
        <span class="badge bad">ended</span> {seen.ended}
      </Fact>
    </Facts>
  ) : (
    <Facts>
      <Fact name="State">
        <span class="badge good">active</span>
      </Fact>
      <Fact name="Plan">{seen.plan}</Fact>
      <Fact name="Valid until">{seen.until === null ? 'no end' : <Moment time={seen.until} />}</Fact>
      <Fact name="Account">{seen.account}</Fact>
    </Facts>
  )

/** Throws for what is no key, and for a key that was revoked: such a key cannot be renewed. */
async function look(key: string): Promise<Seen> {
  const api = openWith(key)
  try {
    const { account, plan, key: id, keys } = await api.getAccount()
    return { id, account, plan, until: keys.find((each) => each.id === id)?.expires_at ?? null }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'key_expired') return { ended: error.message }
    throw error
  }
}
