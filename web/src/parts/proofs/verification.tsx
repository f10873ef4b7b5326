import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Facts, Panel } from '../panels.tsx'

/** Outcome of a check in this browser. */
export type Verified = { summary: ComponentChildren; facts: ComponentChildren }

/** Why something is not proven, in words for the visitor. */
export class NotProven extends Error {}

type Outcome = { state: 'idle' | 'running' } | { state: 'proven'; value: Verified } | { state: 'refused'; reason: string }

type VerificationProps = {
  /** address of the proof itself */
  json: string
  /** what is proven from what, before it is */
  explanation: string
  /** throws when it is not proven */
  verify: () => Promise<Verified>
}

/** A proof that the browser checks itself, on demand. */
export function Verification({ json, explanation, verify }: VerificationProps) {
  const [outcome, setOutcome] = useState<Outcome>({ state: 'idle' })
  const run = async () => {
    setOutcome({ state: 'running' })
    try {
      if (!globalThis.crypto?.subtle) throw new NotProven('The browser hashes only on pages served over HTTPS or localhost.')
      setOutcome({ state: 'proven', value: await verify() })
    } catch (error) {
      setOutcome({ state: 'refused', reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <Panel title="Proof" actions={<a href={json}>JSON</a>}>
      <div role="status">
        {outcome.state === 'proven' ? (
          <>
            <p>
              <span class="badge good">Proven</span> {outcome.value.summary}
            </p>
            <Facts>{outcome.value.facts}</Facts>
          </>
        ) : outcome.state === 'refused' ? (
          <p>
            <span class="badge bad">Not proven</span> {outcome.reason}
          </p>
        ) : (
          <p class="muted">{explanation}</p>
        )}
        {outcome.state !== 'proven' && (
          <button type="button" onClick={run} disabled={outcome.state === 'running'}>
            {outcome.state === 'running' ? 'Verifying…' : 'Verify in this browser'}
          </button>
        )}
      </div>
    </Panel>
  )
}
