import cluster, { type Worker } from 'node:cluster'
import { Admission, type Allowance, type Gate, type LimitReached, type Release } from '../../live/admission.ts'

/** Messages about open WebSockets between workers and the process that started them. */
type EnterMessage = { gate: 'enter'; id: number; network: string; client: string; connections: number | null }
type LeaveMessage = { gate: 'leave'; id: number }
type AnswerMessage = { gate: 'answer'; id: number; limit?: LimitReached }

/** In the first process: counts the connections of all workers. Those of a worker that ended are free again. */
export function keepGate(): void {
  const admissions = new Map<string, Admission>()
  const places = new Map<number, Map<number, Release>>()
  cluster.on('message', (worker: Worker, message: EnterMessage | LeaveMessage) => {
    const own = places.get(worker.id) ?? new Map<number, Release>()
    places.set(worker.id, own)
    if (message?.gate === 'leave') {
      own.get(message.id)?.()
      own.delete(message.id)
    } else if (message?.gate === 'enter') {
      const { id, network, client, connections } = message
      // The number of all connections is each worker's own affair: it is about its memory.
      const admission = admissions.get(network) ?? new Admission(Number.POSITIVE_INFINITY)
      admissions.set(network, admission)
      const leave = admission.enter({ client, connections: connections ?? Number.POSITIVE_INFINITY })
      if (typeof leave !== 'string') own.set(id, leave)
      const answer: AnswerMessage = { gate: 'answer', id, ...(typeof leave === 'string' && { limit: leave }) }
      // A worker that just ended hears nothing; its places are freed below.
      worker.send(answer, () => {})
    }
  })
  cluster.on('exit', (worker) => {
    for (const leave of places.get(worker.id)?.values() ?? []) leave()
    places.delete(worker.id)
  })
}

let lastId = 0
const asked = new Map<number, (limit: LimitReached | undefined) => void>()

/** In a worker: its own total, and the number of a client over all workers. */
export function openWorkerGate(network: string, connections: number): Gate {
  const local = new Admission(connections)
  listen()
  return {
    close: () => local.close(),
    async enter({ client, connections: most }: Allowance): Promise<Release | LimitReached> {
      const leave = local.enter({ client, connections: Number.POSITIVE_INFINITY })
      if (typeof leave === 'string') return leave
      const id = ++lastId
      const limit = await new Promise<LimitReached | undefined>((resolve) => {
        asked.set(id, resolve)
        const message: EnterMessage = { gate: 'enter', id, network, client, connections: Number.isFinite(most) ? most : null }
        // Without the first process there is nobody to count, and this one is about to end.
        process.send?.(message, undefined, undefined, (error) => error && settle(id, undefined))
      })
      if (limit) leave()
      return (
        limit ??
        (() => {
          leave()
          if (process.connected) process.send?.({ gate: 'leave', id } satisfies LeaveMessage)
        })
      )
    },
  }
}

function settle(id: number, limit: LimitReached | undefined): void {
  asked.get(id)?.(limit)
  asked.delete(id)
}

let isListening = false
function listen(): void {
  if (isListening) return
  isListening = true
  process.on('message', (message: AnswerMessage) => {
    if (message?.gate === 'answer') settle(message.id, message.limit)
  })
}
