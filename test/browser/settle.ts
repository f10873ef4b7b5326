import type { Page, Request } from 'playwright-core'

const LIMIT_MS = 45_000

/**
 * In a few frames everything that a change leads to has begun: effects run, what came into view asks for its data, charts are drawn in
 * their new size. Answers what is still missing then.
 */
const LOOK = `(async () => {
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
  if (!document.querySelector('h1')) return 'a heading'
  return document.querySelector('main .skeleton, main .bone') ? 'data: the page says that it is loading' : ''
})()`

/** Gives what waits until the page asks for nothing, shows all it asked for and begins nothing more. */
export function watchSettling(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let begun = 0
  page.on('request', (request) => {
    open.add(request)
    begun++
  })
  const end = (request: Request) => open.delete(request)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    const deadline = Date.now() + LIMIT_MS
    for (;;) {
      const before = begun
      const missing = String(await page.evaluate(LOOK))
      if (missing === '' && open.size === 0 && begun === before) return
      if (Date.now() < deadline) continue
      const asked = [...open].map((request) => request.url()).join(', ')
      throw new Error(`the page does not settle: ${missing || 'no skeleton'}; open requests: ${asked || 'none'}`)
    }
  }
}
