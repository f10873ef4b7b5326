import type { BlockReader } from '../../chain/source.ts'
import { proveState, type StateRoot, type Verdict } from '../../chain/state/prove.ts'
import type { StateRecord } from '../../client/proof/state-record.ts'
import { FairQueue } from '../../lib/fair-queue.ts'
import type { Client } from '../../lib/turn-queue.ts'
import { Unavailable } from '../http/errors.ts'

/** A record of the chain's state with a proof that holds. */
export type ProveRecord = (
  record: StateRecord,
  root: StateRoot,
  client: Pick<Client, 'name'>,
) => Promise<Pick<Verdict, 'proven' | 'bytes' | 'ops'>>

/** Questions to nodes at a time, and waiting: what is beyond would not be answered in time. */
const AT_ONCE = 8
const MAX_WAITING = 64
/** One client leaves places for others. */
const CLIENT_AT_ONCE = 2
const CLIENT_WAITING = 8

/** Proofs of nodes, each verified before it is given out. */
export function readProofsFrom(reader: Pick<BlockReader, 'witnesses' | 'reportFault'>, timeoutMs: number): ProveRecord {
  const queue = new FairQueue(AT_ONCE, CLIENT_AT_ONCE)
  return async (record, root, { name }) => {
    if (queue.waiting >= MAX_WAITING) throw new Unavailable('overloaded', 'too many proofs are being read')
    if (queue.waitingOf(name) >= CLIENT_WAITING)
      throw new Unavailable(
        'overloaded',
        `${CLIENT_WAITING} proofs that you asked for are waiting: ask again when they are answered`,
      )
    return queue.run(name, 1, async () => {
      const claim = { record, value: undefined }
      const { verdicts, refusals } = await proveState(reader, [claim], root, AbortSignal.timeout(timeoutMs)).catch(rejectTimeout)
      if (verdicts[0]) return verdicts[0]
      const reasons = refusals.map(({ refusal }) => refusal.reason).join('; ')
      throw new Unavailable(
        'no_state_proofs',
        `no node proves the state after height ${root.height}${reasons && `: ${reasons}`}`,
        60,
      )
    })
  }
}

function rejectTimeout(error: unknown): never {
  if (error instanceof DOMException) throw new Unavailable('no_state_proofs', 'the nodes do not answer in time', 5, error)
  throw error
}
