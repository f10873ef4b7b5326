import type { Action } from '../use-action.ts'

/** Outcome of an action, also for screen readers. */
export const ActionStatus = ({ action: { outcome, isRunning } }: { action: Action }) => (
  <p role="status" class="break">
    {isRunning && <span class="muted">Waiting for an answer …</span>}
    {outcome && (
      <>
        <span class={`badge ${outcome.isGood ? 'good' : 'bad'}`}>{outcome.isGood ? 'Done' : 'Failed'}</span> {outcome.text}
      </>
    )}
  </p>
)
