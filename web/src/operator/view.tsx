import { useState } from 'preact/hooks'
import { Logo } from '../parts/icons.tsx'
import { Empty, Panel, Switch } from '../parts/panels.tsx'
import { Accounts } from './accounts.tsx'
import { NetworkState } from './network-state.tsx'
import { keepKey, readKey, type Status } from './status.ts'
import { usePolled } from './use-polled.ts'

/** How the networks stand, for those who have a key of the operator's API. */
export function OperatorView() {
  const [key, setKey] = useState(readKey)
  const [refusal, setRefusal] = useState<string>()
  const leave = (reason?: string) => {
    keepKey('')
    setKey('')
    setRefusal(reason)
  }
  const enter = (text: string) => {
    keepKey(text)
    setKey(text)
    setRefusal(undefined)
  }
  return (
    <>
      <header class="top">
        <div class="top-row">
          <span class="brand">
            <Logo />
            <span>Astrolabe</span>
          </span>
          {key !== '' && (
            <button type="button" onClick={() => leave()}>
              Forget the key
            </button>
          )}
        </div>
      </header>
      <main id="main">
        <div class="page">
          <div class="title">
            <h1>Operator</h1>
          </div>
          {key === '' ? <KeyForm refusal={refusal} onKey={enter} /> : <Networks key={key} bearer={key} onRefused={leave} />}
        </div>
      </main>
    </>
  )
}

function KeyForm({ refusal, onKey }: { refusal: string | undefined; onKey: (text: string) => void }) {
  return (
    <Panel title="Key">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          const text = String(new FormData(event.currentTarget).get('key') ?? '').trim()
          if (text !== '') onKey(text)
        }}
      >
        <label>
          <span>Key of role operator or admin</span>
          <input name="key" type="password" autocomplete="off" />
        </label>
        <button type="submit">Show the state</button>
      </form>
      {refusal !== undefined && <p role="alert">The key was refused: {refusal}.</p>}
      <p class="muted">
        <code>astrolabe keys create --role operator</code> makes one. It is kept in this window until that is closed, and sent to
        this address only.
      </p>
    </Panel>
  )
}

type NetworksProps = { bearer: string; onRefused: (reason: string) => void }

function Networks({ bearer, onRefused }: NetworksProps) {
  const [network, setNetwork] = useState<string>()
  const query = network === undefined ? '' : `?network=${encodeURIComponent(network)}`
  const { value: status, failure } = usePolled<Status>(bearer, `/status${query}`, onRefused)
  return (
    <>
      {failure !== undefined && (
        <p class="notice bad" role="alert">
          The server does not answer ({failure}). What is shown may be old; it is asked again every few seconds.
        </p>
      )}
      {status && status.networks.length > 1 && (
        <div class="bar-of-choices">
          <Switch
            label="Network"
            value={status.network}
            options={status.networks.map((name) => [name, name] as const)}
            onChange={setNetwork}
          />
        </div>
      )}
      {status ? <NetworkState status={status} /> : <Empty>Loading…</Empty>}
      {status && <Accounts bearer={bearer} onRefused={onRefused} isAdmin={status.role === 'admin'} />}
    </>
  )
}
