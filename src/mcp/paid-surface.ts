import type { FastifyInstance } from 'fastify'
import { type Selling, watchDelivery } from '../pay/http/server.ts'
import type { PaidAnswer } from '../pay/sale/answer.ts'
import { addMcpRoute } from './http.ts'

/** Tools on the paid surface: calls are sales, and what was sold is delivered when the HTTP answer is. */
export function addMcpToPaidSurface(app: FastifyInstance, { surface, items, track, clientOf }: Selling): void {
  addMcpRoute(app, {
    async open(request) {
      const { createPaidTools } = await import('./paid-tools.ts')
      const sold: PaidAnswer[] = []
      const tools = createPaidTools({ surface, items, client: clientOf(request), onAnswer: (answer) => sold.push(answer) })
      return { ...tools, onAnswered: (reply) => watchDelivery(joinDeliveries(sold), reply, track) }
    },
  })
}

function joinDeliveries(answers: readonly PaidAnswer[]): Pick<PaidAnswer, 'onDelivered' | 'onLost'> {
  const tell = async (what: 'onDelivered' | 'onLost') => {
    await Promise.all(answers.map((answer) => answer[what]?.()))
  }
  return { onDelivered: () => tell('onDelivered'), onLost: () => tell('onLost') }
}
