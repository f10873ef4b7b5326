import { Type } from 'typebox'
import { HttpError } from '../api/http/errors.ts'
import type { RouteGroup } from '../api/route.ts'
import type { AttributionConfig } from '../config/access-schema.ts'
import { listUsage } from '../store/access/usage.ts'
import type { SqlPool } from '../store/db.ts'
import type { Caller } from './guard.ts'

const Attribution = Type.Object({
  required: Type.Boolean({ description: 'whether the free plan asks for it' }),
  name: Type.String(),
  url: Type.String(),
  text: Type.String(),
  example: Type.String(),
  html: Type.String({ description: 'the example as a link' }),
})

/** Attribution that users of the free plan owe (docs/rules.md R50). */
export const attributionRoutes =
  (attribution: AttributionConfig): RouteGroup =>
  (app) => {
    const { name, url, text, example } = attribution
    const html = `<a href="${escapeHtml(url)}">${escapeHtml(example)}</a>`
    app.get(
      '/attribution',
      {
        cache: 'none',
        schema: {
          operationId: 'get-attribution',
          summary: 'The attribution that free use requires',
          notOnPage: 'the footer has it from the document',
          tags: ['general'],
          response: { 200: Attribution },
        },
        needsState: false,
      },
      () => ({ required: true, name, url, text, example, html }),
    )
  }

const DAYS = 31

const Usage = Type.Object({
  key: Type.String({ description: 'id of the key' }),
  plan: Type.String(),
  requests_per_second: Type.Number(),
  burst: Type.Number(),
  daily_quota: Type.Union([Type.Number(), Type.Null()]),
  days: Type.Array(
    Type.Object({
      day: Type.String({ format: 'date' }),
      requests: Type.Integer(),
      points: Type.Integer({ description: 'cost of the requests served: 1 read, 2 list, 5 statistics, 10 export' }),
      refused: Type.Integer({ description: 'requests over the limit' }),
    }),
    { description: `the last ${DAYS} days with requests, newest first; all keys of the account together` },
  ),
})

/** Usage of the key of the request. Counts are a second or two behind. */
export const usageRoutes =
  (sql: SqlPool, currentCaller: () => Caller | undefined): RouteGroup =>
  (app) => {
    app.get(
      '/usage',
      {
        cache: 'none',
        schema: {
          operationId: 'get-usage',
          summary: 'Requests per day of the key in the header `apikey`',
          notOnPage: 'tells the holder of a key how much of the plan is left; the page uses no key but for webhooks',
          tags: ['general'],
          response: { 200: Usage },
        },
        needsState: false,
      },
      async () => {
        const caller = currentCaller()
        if (!caller?.key) throw new HttpError(401, 'key_required', 'usage is counted per key: send one in the header apikey')
        const { plan, key } = caller
        return {
          key: key.id,
          plan: plan.name,
          requests_per_second: plan.rate,
          burst: plan.burst,
          daily_quota: plan.quota ?? null,
          days: await listUsage(sql, key.account, DAYS),
        }
      },
    )
  }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
}
