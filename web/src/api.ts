import { createClient } from '../../src/client/client.ts'

const TRIES = 4
const LONGEST_WAIT_S = 10

/** A page that asks for much at once may meet the limit of the free plan: it waits as long as the server says. */
const askPatiently: typeof fetch = async (input, init) => {
  for (let left = TRIES - 1; ; left--) {
    const response = await fetch(input, init)
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    const isTooMuch = response.status === 429 || response.status === 503
    if (!isTooMuch || left === 0 || !(wait <= LONGEST_WAIT_S)) return response
    await new Promise((resolve) => setTimeout(resolve, Math.max(wait, 0.25) * 1000))
    init?.signal?.throwIfAborted()
  }
}

/** The network that serves this page. */
export const api = createClient({ baseUrl: '', fetch: askPatiently })
