import { createLookup, failedLookup, isAnswer } from '../operations/lookup.ts'
import type { OperationCost, Operations } from '../operations/serve-operations.ts'
import { failedResult, foundResult, heightMeta } from './result.ts'
import type { Tools } from './server.ts'

/** Meter that charges calls. Without one calls are free: whoever has the database needs no key. */
export type CallMeter = {
  /** Throws when the caller may not make this call now. */
  charge: (cost: OperationCost) => void | Promise<void>
  /** Charges an answer by its bytes, beyond its call. */
  chargeBytes: (bytes: number) => void
}

const FREE: CallMeter = { charge: () => {}, chargeBytes: () => {} }

/** Tools answered by the handlers of the key surface. */
export function createKeyTools(operations: Operations, onFailure: (error: unknown) => void, meter = FREE): Tools {
  const lookup = createLookup(operations)
  return {
    isPaid: false,
    async call(operation, { asked }) {
      const run = async () => {
        await meter.charge(operations.costOf(operation))
        return lookup(operation, asked)
      }
      const result = await run().catch((error) => failedLookup(error, onFailure))
      if (!isAnswer(result)) return failedResult(result.detail, result.retryAfter)
      meter.chargeBytes(result.body.length)
      return foundResult(result.body.toString(), heightMeta(result.height))
    },
  }
}
