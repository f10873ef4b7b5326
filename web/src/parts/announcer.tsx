import { createStore, useStore } from '../store.ts'

const text = createStore('')

/** Says something to those who listen to the page instead of looking at it. */
export const announce = (message: string): void => text.set(message)

export function Announcer() {
  const message = useStore(text, (value) => value)
  return (
    <div class="unseen" role="status" aria-live="polite">
      {message}
    </div>
  )
}
