import { useState } from 'preact/hooks'

export type Outcome = { isGood: boolean; text: string }

export type Action = {
  isRunning: boolean
  /** what the last one came to */
  outcome: Outcome | undefined
  /** one at a time */
  run: (act: () => Promise<Outcome>) => Promise<void>
}

/** Something that a visitor starts and whose outcome is said. */
export function useAction(): Action {
  const [isRunning, setRunning] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const run = async (act: () => Promise<Outcome>) => {
    setRunning(true)
    setOutcome(undefined)
    try {
      setOutcome(await act())
    } catch (error) {
      setOutcome({ isGood: false, text: error instanceof Error ? error.message : String(error) })
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, outcome, run }
}
