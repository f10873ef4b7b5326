import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { freeRawBlock } from '../../chain/raw-memory.ts'
import type { RawBlock } from '../../chain/source.ts'
import { type PlainError, toPlainError } from '../../lib/errors.ts'
import { openReader } from '../../store/db.ts'
import { type TxsVerdict, verifyTxs } from './verify-txs.ts'

export type VerifyRequest = { id: number; raw: RawBlock; chainId: string }

export type VerifyReply = { id: number; seconds: number } & ({ verdict: TxsVerdict } | { failure: PlainError })

export type VerifyWorkerData = { url: string; schema: string }

/** Only time that nobody else wants: on Linux the calling thread alone is meant, elsewhere it would be the whole process. */
const LOWEST = 19
if (process.platform === 'linux') setPriority(LOWEST)

/** Statements of a large block take long when everybody else comes first. */
const STATEMENT_MS = 60_000

const port = parentPort!
const db = openReader({ ...(workerData as VerifyWorkerData), max: 1, statementTimeoutMs: STATEMENT_MS })

port.on('message', async ({ id, raw, chainId }: VerifyRequest) => {
  const startedAt = performance.now()
  const outcome = await verifyTxs(db, raw, chainId).then(
    (verdict) => ({ verdict }),
    (error: unknown) => ({ failure: toPlainError(error) }),
  )
  port.postMessage({ id, seconds: (performance.now() - startedAt) / 1000, ...outcome } satisfies VerifyReply)
  freeRawBlock(raw)
})
