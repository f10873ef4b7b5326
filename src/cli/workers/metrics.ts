import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'

type Values = MetricObjectWithValues<MetricValue<string>>[]
type AskMessage = { metrics: 'ask'; id: number }
type AnswerMessage = { metrics: 'answer'; id: number; values: Values }

/** A worker that does not answer within this time is left out: the others are worth having all the same. */
const ANSWER_MS = 2000

/** In a worker: tells its counts to the process that started it. */
export function answerMetrics(registry: Registry): void {
  process.on('message', async (message: AskMessage) => {
    if (message?.metrics !== 'ask') return
    const values = (await registry.getMetricsAsJSON()) as Values
    if (process.connected) process.send?.({ metrics: 'answer', id: message.id, values } satisfies AnswerMessage)
  })
}

/** In the first process: its own metrics with those of all workers, as one. */
export function joinMetrics(own: Registry): Pick<Registry, 'contentType' | 'metrics'> {
  const waiting = new Map<number, (values: Values) => void>()
  let lastId = 0
  cluster.on('message', (_worker: Worker, message: AnswerMessage) => {
    if (message?.metrics !== 'answer') return
    waiting.get(message.id)?.(message.values)
    waiting.delete(message.id)
  })
  const ask = (worker: Worker): Promise<Values> =>
    new Promise((resolve) => {
      const id = ++lastId
      const late = setTimeout(() => {
        waiting.delete(id)
        resolve([])
      }, ANSWER_MS)
      waiting.set(id, (values) => {
        clearTimeout(late)
        resolve(values)
      })
      worker.send({ metrics: 'ask', id } satisfies AskMessage, () => {})
    })
  return {
    contentType: own.contentType,
    metrics: async () => {
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      const all = await Promise.all([own.getMetricsAsJSON() as Promise<Values>, ...workers.map(ask)])
      return AggregatorRegistry.aggregate(all).metrics()
    },
  }
}
