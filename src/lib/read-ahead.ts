/**
 * Keeps up to `ahead` items of `items` in the making while the consumer works on the one before. Leaving the loop early waits for
 * the item under way, so sources that can be slow take an AbortSignal too.
 */
export async function* readAhead<T>(items: AsyncGenerator<T>, ahead: number): AsyncGenerator<T> {
  const pending: Promise<IteratorResult<T>>[] = []
  try {
    for (;;) {
      while (pending.length <= ahead) {
        const next = items.next()
        // An error belongs to the consumer when it gets there; until then it must not count as unhandled.
        next.catch(() => {})
        pending.push(next)
      }
      const result = await pending.shift()!
      if (result.done) return
      yield result.value
    }
  } finally {
    await items.return(undefined)
  }
}
