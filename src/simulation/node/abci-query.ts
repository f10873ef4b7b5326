import type { PrintedProofOp, ProveState } from '../state/state-trees.ts'
import type { Call, FaultSwitch } from './faults.ts'

const INVALID_REQUEST = { code: 18, codespace: 'sdk' }

/** The result of `abci_query` for a key of a store, as the multistore of a node answers it. */
export function answerStateQuery(
  { proveState, faults, head }: { proveState: ProveState | undefined; faults: FaultSwitch; head: number },
  call: Call,
  params: Record<string, unknown>,
) {
  const height = call.height || head
  const store = /^\/store\/([^/]+)\/key$/.exec(String(params.path ?? ''))?.[1]
  if (store === undefined) return respond({ ...INVALID_REQUEST, log: 'unknown query path: unknown request' }, height)
  const key = Buffer.from(String(params.data ?? '').replace(/^0x/, ''), 'hex')
  const isKept = height <= head && !faults.strike('pruned-state', call)
  const ops = isKept ? proveState?.(height, store, key) : undefined
  if (!ops)
    return respond(
      { ...INVALID_REQUEST, log: 'proof is unexpectedly empty; ensure height has not been pruned: invalid request' },
      height,
    )
  if (params.prove !== true || faults.strike('no-proofs', call)) return respond({ key: key.toString('base64') }, height)
  const given = faults.strike('tampered-proof', call) ? ops.map(tamper) : ops
  return respond({ key: key.toString('base64'), proofOps: { ops: given } }, height)
}

function respond(given: Record<string, unknown>, height: number) {
  const empty = { code: 0, log: '', info: '', index: '0', key: null, value: null, proofOps: null, codespace: '' }
  return { response: { ...empty, height: String(height), ...given } }
}

/** The last bit of the last hash is another. */
function tamper(op: PrintedProofOp): PrintedProofOp {
  const data = Buffer.from(op.data, 'base64')
  data[data.length - 1]! ^= 1
  return { ...op, data: data.toString('base64') }
}
