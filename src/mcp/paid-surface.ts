import type { FastifyInstance } from 'fastify'
import { type Selling, watchDelivery } from '../pay/http/server.ts'
import type { Sold } from '../pay/plans/plan-item.ts'
import type { PaidAnswer } from '../pay/sale/answer.ts'
import { addMcpRoute } from './http.ts'
import type { Shelf } from './paid-tools.ts'

/** Tools on the paid surface: calls are sales, and what was sold is delivered when the HTTP answer is. */
export function addMcpToPaidSurface(app: FastifyInstance, { surface, items, track, clientOf }: Selling): void {
  const shelf = shelve(items)
  addMcpRoute(app, {
    admit: async (request, _reply, messages) => surface.admitFree(clientOf(request), messages),
    async open(request) {
      const { createPaidTools } = await import('./paid-tools.ts')
      const sold: PaidAnswer[] = []
      const tools = createPaidTools({ surface, shelf, client: clientOf(request), onAnswer: (answer) => sold.push(answer) })
      return { ...tools, onAnswered: (reply) => watchDelivery(joinDeliveries(sold), reply, track) }
    },
  })
}

/** What is described briefly is reached by the name that the API has for it, at the same address. */
function shelve(sold: readonly Sold[]): Shelf {
  const byAddress = new Map(sold.map((item) => [`${item.method} ${item.path}`, item]))
  return {
    items: sold.filter(({ isBrief }) => !isBrief),
    reach: ({ method, path }) => byAddress.get(`${method} ${path}`),
  }
}

function joinDeliveries(answers: readonly PaidAnswer[]): Pick<PaidAnswer, 'onDelivered' | 'onLost'> {
  const tell = async (what: 'onDelivered' | 'onLost') => {
    await Promise.all(answers.map((answer) => answer[what]?.()))
  }
  return { onDelivered: () => tell('onDelivered'), onLost: () => tell('onLost') }
}
