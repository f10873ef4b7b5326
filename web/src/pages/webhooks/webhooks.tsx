import { useState } from 'preact/hooks'
import type { Client } from '../../../../src/client/client.ts'
import type { Webhook } from '../../../../src/client/gen/operations.ts'
import { chooseKey, useKeyedApi } from '../../api.ts'
import { Await, Panel } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Ago } from '../../parts/values.tsx'
import { linkHere } from '../../router.ts'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'
import { WebhookPanels, WebhookState } from './webhook.tsx'
import { NewWebhook } from './webhook-form.tsx'

/** Subscriptions of the holder of an API key. */
export function WebhooksPage({ query }: { query: URLSearchParams }) {
  const api = useKeyedApi()
  return (
    <>
      <Title text="Webhooks" />
      <p class="muted">
        Events of the chain are posted to your server, in order and at least once, signed by the Standard Webhooks convention.
      </p>
      <Key isGiven={api !== undefined} />
      {api && <Subscriptions api={api} chosen={query.get('id') ?? undefined} />}
    </>
  )
}

function Key({ isGiven }: { isGiven: boolean }) {
  if (isGiven)
    return (
      <Panel title="API key">
        <p>
          This page uses your key until it is closed or loaded again.{' '}
          <button type="button" onClick={() => chooseKey('')}>
            Forget the key
          </button>
        </p>
      </Panel>
    )
  return (
    <Panel title="API key">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          chooseKey(String(new FormData(event.currentTarget).get('key') ?? '').trim())
        }}
      >
        <label class="long">
          <span>API key</span>
          <input name="key" type="password" required autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Use this key</button>
      </form>
      <p class="muted">Webhooks belong to a key. It is sent to this server only, and stored nowhere.</p>
      <p class="muted">
        No key yet? The operator of this server makes one with <code>astrolabe keys create</code>; the demo on your own machine
        takes the same command with <code>--data .astrolabe</code>.
      </p>
    </Panel>
  )
}

const columns: Column<Webhook>[] = [
  { title: 'Target', cell: ({ id, url }) => <a href={linkHere({ id })}>{url}</a> },
  { title: 'Events', cell: ({ events }) => events.join(', ') },
  { title: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { title: 'Height', end: true, wide: true, cell: ({ height }) => height },
  { title: 'Created', end: true, wide: true, cell: ({ created_at }) => <Ago time={created_at} /> },
]

function Subscriptions({ api, chosen }: { api: Client; chosen: string | undefined }) {
  const [changes, setChanges] = useState(0)
  const onChange = () => setChanges((count) => count + 1)
  const loaded = useLoad((signal) => api.listWebhooks({}, { signal }), 'webhooks', changes)
  const webhook = loaded.state === 'ready' ? loaded.value.find(({ id }) => id === chosen) : undefined
  return (
    <>
      <Panel title="Your webhooks">
        <Await loaded={loaded} rows={3}>
          {(webhooks) => (
            <Table
              caption="Webhooks of the account of the key"
              columns={columns}
              rows={webhooks}
              keyOf={({ id }) => id}
              empty="None yet: create one below."
            />
          )}
        </Await>
      </Panel>
      {webhook && <WebhookPanels key={webhook.id} api={api} webhook={webhook} onChange={onChange} />}
      <NewWebhook api={api} onChange={onChange} />
    </>
  )
}
