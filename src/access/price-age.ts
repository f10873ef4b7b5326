import type { onRequestHookHandler } from 'fastify'
import type { Db } from '../store/db.ts'
import { findCurrentPrice } from '../store/read/stats/price.ts'

const KEPT_MS = 5000
const PRICE_ROUTES = '/v1/stats/price/'

/**
 * Prices come from outside and may be old: their answers say how old the newest one is. Its time is looked up now and then, not for
 * every request.
 */
export function createPriceAge(db: Db, now: () => number = Date.now): onRequestHookHandler {
  let known: { time: number | undefined; at: number } | undefined
  let reading: Promise<void> | undefined
  const read = async () => {
    const price = await findCurrentPrice(db)
    known = { time: price && Date.parse(price.time), at: now() }
  }
  return (request, reply, done) => {
    if (request.routeOptions.config.route?.path.startsWith(PRICE_ROUTES) !== true) return done()
    const answer = () => {
      if (known?.time !== undefined) {
        reply.header('x-price-age', Math.max(0, Math.round((now() - known.time) / 1000)))
        reply.header('last-modified', new Date(known.time).toUTCString())
      }
      done()
    }
    if (known && now() - known.at < KEPT_MS) return answer()
    reading ??= read().finally(() => {
      reading = undefined
    })
    // The route itself will say that the database is away.
    reading.then(answer, () => done())
  }
}
