import { Type } from 'typebox'
import type { RouteGroup } from '../api/route.ts'
import type { AttributionConfig } from '../config/access-schema.ts'

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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
}
