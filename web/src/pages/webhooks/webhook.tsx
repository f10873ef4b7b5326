import { useState } from 'preact/hooks'
import type { Client } from '../../../../src/client/client.ts'
import type { Webhook, WebhookAttempt, WebhookDelivery } from '../../../../src/client/gen/operations.ts'
import { readableName } from '../../format.ts'
import { ActionStatus } from '../../parts/action-status.tsx'
import { Await, Fact, Facts, Panel } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Ago, BlockLink, Moment } from '../../parts/values.tsx'
import { goTo, linkHere } from '../../router.ts'
import { type Outcome, useAction } from '../../use-action.ts'
import { useLoad } from '../../use-load.ts'

const PAUSED = {
  owner: 'paused',
  failing: 'paused: it kept failing',
  gone: 'paused: the receiver answered 410',
  quota: 'paused: the quota of the day is used up',
}

export function WebhookState({ webhook: { state, paused_reason, failures } }: { webhook: Webhook }) {
  if (state === 'paused') return <span class="badge warn">{PAUSED[paused_reason ?? 'owner']}</span>
  return failures > 0 ? <span class="badge bad">failing</span> : <span class="badge good">active</span>
}

type WebhookProps = { api: Client; webhook: Webhook; onChange: () => void }

/** One subscription: how it fares, what its owner can do with it, and what was sent. */
export function WebhookPanels({ api, webhook, onChange }: WebhookProps) {
  const { id } = webhook
  const [isSure, setSure] = useState(false)
  const action = useAction()
  const act = (change: () => Promise<Outcome>) =>
    void action.run(async () => {
      const outcome = await change()
      onChange()
      return outcome
    })
  const test = async () => toOutcome(await api.testWebhook({ id }))
  const pause = async () => {
    await api.pauseWebhook({ id })
    return good('Paused. It continues from here when it is resumed.')
  }
  const resume = async () => {
    await api.resumeWebhook({ id })
    return good('Resumed.')
  }
  const rotate = async () => {
    const { secret, old_secret_until } = await api.rotateWebhookSecret({ id })
    return good(`New secret, shown once: ${secret}. The old one signs too until ${old_secret_until}.`)
  }
  const remove = async () => {
    await api.deleteWebhook({ id })
    goTo(linkHere({ id: undefined }))
    return good('Deleted.')
  }
  const button = (name: string, change: () => Promise<Outcome>) => (
    <button type="button" disabled={action.isRunning} onClick={() => act(change)}>
      {name}
    </button>
  )
  return (
    <>
      <Panel title="Webhook">
        <WebhookFacts webhook={webhook} />
        <div class="estimator-actions">
          {button('Send a test', test)}
          {webhook.state === 'paused' ? button('Resume', resume) : button('Pause', pause)}
          {button('Rotate the secret', rotate)}
          {isSure ? (
            <>
              {button('Yes, delete it', remove)}
              <button type="button" onClick={() => setSure(false)}>
                Keep it
              </button>
            </>
          ) : (
            <button type="button" onClick={() => setSure(true)}>
              Delete
            </button>
          )}
        </div>
        <ActionStatus action={action} />
      </Panel>
      <Deliveries api={api} id={id} />
    </>
  )
}

const good = (text: string): Outcome => ({ isGood: true, text })

const toOutcome = ({ ok, status, error, duration_ms }: WebhookAttempt): Outcome => ({
  isGood: ok,
  text: ok ? `The receiver took it: status ${status}, ${duration_ms} ms.` : `Not taken: ${error ?? `status ${status}`}.`,
})

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { url, events, filters, description, height, last_success_at, next_attempt_at, last_error } = webhook
  return (
    <Facts>
      <Fact name="Target">
        <span class="break">{url}</span>
      </Fact>
      {description && (
        <Fact name="Note">
          <span class="break">{description}</span>
        </Fact>
      )}
      <Fact name="State">
        <WebhookState webhook={webhook} />
      </Fact>
      <Fact name="Events">{events.join(', ')}</Fact>
      {Object.entries(filters).map(([name, value]) => (
        <Fact key={name} name={`Only with ${readableName(name)}`}>
          <span class="break">{String(value)}</span>
        </Fact>
      ))}
      <Fact name="Delivered up to">
        <BlockLink height={height} />
      </Fact>
      {last_success_at && (
        <Fact name="Last success">
          <Moment time={last_success_at} />
        </Fact>
      )}
      {last_error && (
        <Fact name="Last error">
          <span class="break">{last_error}</span>
        </Fact>
      )}
      {next_attempt_at && (
        <Fact name="Next attempt">
          <Moment time={next_attempt_at} />
        </Fact>
      )}
    </Facts>
  )
}

const DELIVERIES = 20
const TONES: Record<WebhookDelivery['state'], string> = { pending: 'warn', delivered: 'good', reverted: '' }

/** Newest first; each can be sent again under its own id. */
function Deliveries({ api, id }: { api: Client; id: string }) {
  const [looks, setLooks] = useState(0)
  const [cursors, setCursors] = useState<number[]>([])
  const action = useAction()
  const cursor = cursors.at(-1)
  const loaded = useLoad(
    (signal) => api.listWebhookDeliveries({ id, limit: DELIVERIES, ...(cursor !== undefined && { cursor }) }, { signal }),
    `deliveries ${id} ${cursor ?? ''}`,
    looks,
  )
  const replay = (delivery: string) =>
    void action.run(async () => {
      const outcome = toOutcome(await api.replayWebhookDelivery({ id, delivery }))
      setLooks((count) => count + 1)
      return outcome
    })
  const columns: Column<WebhookDelivery>[] = [
    { title: 'Event', cell: ({ type }) => type },
    { title: 'Height', end: true, cell: ({ height }) => <BlockLink height={height} /> },
    { title: 'State', cell: ({ state }) => <span class={`badge ${TONES[state]}`}>{state}</span> },
    { title: 'Answer', cell: ({ status, error }) => error ?? status ?? '–' },
    { title: 'Attempts', end: true, wide: true, cell: ({ attempts }) => attempts },
    { title: 'Last attempt', end: true, wide: true, cell: ({ attempted_at: time }) => (time ? <Ago time={time} /> : '–') },
    {
      title: 'Again',
      end: true,
      cell: ({ id: delivery, type, height }) => (
        <button
          type="button"
          class="quiet"
          disabled={action.isRunning}
          onClick={() => replay(delivery)}
          aria-label={`Replay ${type} of block ${height}`}
        >
          Replay
        </button>
      ),
    },
  ]
  return (
    <Panel
      title="Deliveries"
      actions={
        <button type="button" class="quiet" onClick={() => setLooks(looks + 1)}>
          Refresh
        </button>
      }
    >
      <ActionStatus action={action} />
      <Await loaded={loaded} rows={5}>
        {(rows) => (
          <>
            <Table
              caption="Events that were sent or are about to be"
              columns={columns}
              rows={rows}
              keyOf={({ number }) => number}
              empty="Nothing was sent yet."
            />
            <div class="estimator-actions">
              {cursors.length > 0 && (
                <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
                  Newer
                </button>
              )}
              {rows.length === DELIVERIES && (
                <button type="button" onClick={() => setCursors([...cursors, rows.at(-1)!.number])}>
                  Older
                </button>
              )}
            </div>
          </>
        )}
      </Await>
    </Panel>
  )
}
