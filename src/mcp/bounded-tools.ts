import type { ForSale } from '../operations/operation.ts'
import type { Tools } from './calls.ts'
import { failedResult } from './result.ts'

/** Twice the largest page of a list, so that one answer always fits. */
const ANSWER_BYTES = 8 * 2 ** 20

export type BoundedTools<Item extends ForSale> = Tools<Item> & {
  /** calls that were admitted or refused; others did not get as far as a tool */
  readonly reached: number
}

/**
 * The tools of one HTTP message. Its calls run one after the other, since a message is answered as a whole and its answers wait in memory:
 * when they are as long as they may be, the calls that follow are refused.
 */
export function boundTools<Item extends ForSale>(tools: Tools<Item>, maxBytes = ANSWER_BYTES): BoundedTools<Item> {
  const full = failedResult(
    413,
    `the answers of this message have more than ${maxBytes} bytes: call this tool in its own message`,
  )
  let [left, reached] = [maxBytes, 0]
  let last: Promise<unknown> = Promise.resolve()
  return {
    items: tools.items,
    reach: tools.reach,
    isPaid: tools.isPaid,
    demandOf: tools.demandOf,
    get reached() {
      return reached
    },
    async admit(operation) {
      reached++
      return tools.admit?.(operation)
    },
    call(operation, request, meta) {
      const run = async () => {
        if (left <= 0) return full
        const result = await tools.call(operation, request, meta)
        for (const part of result.content) if (part.type === 'text') left -= part.text.length
        return result
      }
      const answered = last.then(run)
      last = answered.catch(() => {})
      return answered
    },
  }
}
