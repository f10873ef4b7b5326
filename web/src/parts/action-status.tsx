import type { Action } from '../use-action.ts'

/** What an action came to, also for those who do not see it. */
export const Said = ({ action: { outcome, isRunning } }: { action: Action }) => (
  <p role="status" class="break">
    {isRunning && <span class="muted">Waiting for an answer …</span>}
    {outcome && (
      <>
        <span class={`badge ${outcome.isGood ? 'good' : 'bad'}`}>{outcome.isGood ? 'Done' : 'Failed'}</span> {outcome.text}
      </>
    )}
  </p>
)
