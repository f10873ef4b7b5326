import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { CATALOG } from '../operations/catalog.ts'
import { createLookup, failedLookup, isAnswer, type LookupResult } from '../operations/lookup.ts'
import type { OperationCost, Operations } from '../operations/serve-operations.ts'
import type { Tools } from './calls.ts'
import { failedResult, foundResult, heightMeta } from './result.ts'

/** Meter that charges calls. Without one calls are free: whoever has the database needs no key. */
export type CallMeter = {
  /** Throws when the caller may not make this call now. */
  charge: (cost: OperationCost) => void | Promise<void>
  /** Charges an answer by its bytes, beyond its call. */
  chargeBytes: (bytes: number) => void
}

const FREE: CallMeter = { charge: () => {}, chargeBytes: () => {} }

/** As over REST, where a path that leads nowhere costs as much as the cheapest route. */
const NO_TOOL: OperationCost = [{ cost: 1, needs: undefined }]

/** Tools answered by the handlers of the key surface. */
export function createKeyTools(operations: Operations, onFailure: (error: unknown) => void, meter = FREE): Tools {
  const lookup = createLookup(operations)
  return {
    items: CATALOG,
    reach: (operation) => (operation.isExport ? undefined : operation),
    isPaid: false,
    async admit(operation) {
      try {
        await meter.charge(operation ? operations.costOf(operation) : NO_TOOL)
        return undefined
      } catch (error) {
        return toResult(failedLookup(error, onFailure))
      }
    },
    async call(operation, { asked }) {
      const result = await lookup(operation, asked).catch((error) => failedLookup(error, onFailure))
      if (isAnswer(result)) meter.chargeBytes(result.body.length)
      return toResult(result)
    },
  }
}

function toResult(result: LookupResult): CallToolResult {
  return isAnswer(result)
    ? foundResult(result.body.toString(), heightMeta(result.height))
    : failedResult(result.status, result.detail, result.retryAfter)
}
