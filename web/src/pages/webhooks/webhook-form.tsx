import { useState } from 'preact/hooks'
import type { Client } from '../../../../src/client/client.ts'
import type { WebhookFilters } from '../../../../src/client/gen/operations.ts'
import { WEBHOOK_EVENTS, type WebhookEvent, type WebhookFilterName } from '../../../../src/types/webhook-events.ts'
import { ActionStatus } from '../../parts/action-status.tsx'
import { Panel } from '../../parts/panels.tsx'
import { goTo, linkHere } from '../../router.ts'
import { useAction } from '../../use-action.ts'

const EVENTS = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[]

type Field = { label: string; read: (text: string) => unknown }

const several = (text: string) => text.split(/[\s,]+/).filter(Boolean)

const FIELDS: Record<WebhookFilterName, Field> = {
  namespace: { label: 'Namespaces', read: several },
  signer: { label: 'Signers', read: several },
  address: { label: 'Accounts that take part', read: several },
  message_type: { label: 'Message types', read: several },
  validator: { label: 'Ids of validators', read: (text) => several(text).map(Number) },
  proposal_status: { label: 'States of proposals', read: several },
  min_amount: { label: 'Least amount', read: (text) => text },
  denom: { label: 'Denomination', read: (text) => text },
  min_gas_price: { label: 'Least gas price, utia', read: Number },
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
          <label>
            <span>Target</span>
            <input name="url" type="url" required placeholder="https://" autocomplete="off" />
          </label>
          {filters.map((name) => (
            <label key={name}>
              <span>{FIELDS[name].label}</span>
              <input name={name} autocomplete="off" spellcheck={false} />
            </label>
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

function readFilters(names: readonly WebhookFilterName[], text: (name: string) => string): WebhookFilters {
  const given = names.filter((name) => text(name) !== '')
  return Object.fromEntries(given.map((name) => [name, FIELDS[name].read(text(name))]))
}
