import { useState } from 'preact/hooks'
import type { Client } from '../../../../src/client/client.ts'
import type { WebhookFilters } from '../../../../src/client/gen/operations.ts'
import { WEBHOOK_EVENTS, type WebhookEvent, type WebhookFilterName } from '../../../../src/types/webhook-events.ts'
import { ActionStatus } from '../../parts/action-status.tsx'
import { MESSAGE_TYPE_OPTIONS } from '../../parts/lists.tsx'
import { Panel } from '../../parts/panels.tsx'
import { goTo, linkHere } from '../../router.ts'
import { useAction } from '../../use-action.ts'

const EVENTS = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[]

/** `hint`: how the value looks; `options` where it is one of few. */
type Field = { label: string; read: (text: string) => unknown; hint?: string; options?: readonly (readonly [string, string])[] }

const several = (text: string) => text.split(/[\s,]+/).filter(Boolean)

const PROPOSAL_STATES = ['inactive', 'active', 'applied', 'rejected', 'removed', 'failed'] as const

const FIELDS: Record<WebhookFilterName, Field> = {
  namespace: { label: 'Namespaces', read: several, hint: 'hex or base64, by spaces' },
  signer: { label: 'Signers', read: several, hint: 'celestia1…, by spaces' },
  address: { label: 'Accounts that take part', read: several, hint: 'celestia1…, by spaces' },
  message_type: { label: 'Message types', read: several, options: MESSAGE_TYPE_OPTIONS },
  validator: { label: 'Ids of validators', read: (text) => several(text).map(Number), hint: '1 2 3' },
  proposal_status: { label: 'States of proposals', read: several, options: PROPOSAL_STATES.map((name) => [name, name] as const) },
  min_amount: { label: 'Least amount', read: (text) => text, hint: 'in the smallest unit' },
  denom: { label: 'Denomination', read: (text) => text, hint: 'utia' },
  min_gas_price: { label: 'Least gas price, utia', read: Number, hint: '0.01' },
}

/** A new subscription. What the server does not take, it says by name. */
export function NewWebhook({ api, onChange }: { api: Client; onChange: () => void }) {
  const [events, setEvents] = useState<readonly WebhookEvent[]>(['block'])
  const action = useAction()
  const filters = [...new Set(events.flatMap((event): readonly WebhookFilterName[] => WEBHOOK_EVENTS[event]))]
  const create = (form: HTMLFormElement) =>
    void action.run(async () => {
      const data = new FormData(form)
      const text = (name: string) => String(data.get(name) ?? '').trim()
      const from = text('from')
      const { id, secret } = await api.createWebhook({
        url: text('url'),
        events: [...events],
        filters: readFilters(filters, text),
        description: text('description'),
        ...(from !== '' && { from: Number(from) }),
      })
      form.reset()
      goTo(linkHere({ id }))
      onChange()
      return { isGood: true, text: `Created. Its secret, shown once: ${secret}` }
    })
  const toggle = (event: WebhookEvent) =>
    setEvents(events.includes(event) ? events.filter((other) => other !== event) : [...events, event])
  return (
    <Panel title="New webhook">
      <form
        aria-label="New webhook"
        onSubmit={(event) => {
          event.preventDefault()
          create(event.currentTarget)
        }}
      >
        <fieldset class="event-choice">
          <legend>Events</legend>
          {EVENTS.map((event) => (
            <label key={event}>
              <input type="checkbox" checked={events.includes(event)} onChange={() => toggle(event)} /> {event}
            </label>
          ))}
        </fieldset>
        <div class="filters">
          <label class="long">
            <span>Target</span>
            <input name="url" type="url" required placeholder="https://" autocomplete="off" />
          </label>
          {filters.map((name) => (
            <FilterField key={name} name={name} field={FIELDS[name]} />
          ))}
          <label>
            <span>From height (empty: from now on)</span>
            <input name="from" inputMode="numeric" autocomplete="off" />
          </label>
          <label>
            <span>Note</span>
            <input name="description" maxLength={200} autocomplete="off" />
          </label>
          <button type="submit" disabled={action.isRunning || events.length === 0}>
            Create
          </button>
        </div>
      </form>
      <ActionStatus action={action} />
    </Panel>
  )
}

const FilterField = ({ name, field: { label, hint, options } }: { name: string; field: Field }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: either control stands in it
  <label class={options ? undefined : 'long'}>
    <span>{label}</span>
    {options ? (
      <select name={name}>
        <option value="">all</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    ) : (
      <input name={name} placeholder={hint} autocomplete="off" spellcheck={false} />
    )}
  </label>
)

function readFilters(names: readonly WebhookFilterName[], text: (name: string) => string): WebhookFilters {
  const given = names.filter((name) => text(name) !== '')
  return Object.fromEntries(given.map((name) => [name, FIELDS[name].read(text(name))]))
}
