import cluster, { type Worker } from 'node:cluster'
import type { WrongKeys } from '../../access/wrong-keys.ts'

type WrongKeyMessage = { wrongKey: string }

/** In the first process: what one worker saw, the others hear of. */
export function relayWrongKeys(): void {
  cluster.on('message', (from: Worker, message: WrongKeyMessage) => {
    if (typeof message?.wrongKey !== 'string') return
    for (const worker of Object.values(cluster.workers ?? {})) if (worker !== from) worker?.send(message, () => {})
  })
}

/** In a worker: whoever tries keys is counted over all of them. */
export function shareWrongKeys(wrongKeys: WrongKeys): void {
  wrongKeys.onAdd = (network) => {
    if (process.connected) process.send?.({ wrongKey: network } satisfies WrongKeyMessage)
  }
  process.on('message', (message: WrongKeyMessage) => {
    if (typeof message?.wrongKey === 'string') wrongKeys.hear(message.wrongKey)
  })
}
