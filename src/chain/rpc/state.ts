import type { ProofOp } from '../../client/proof/state.ts'
import type { StateKey } from '../../client/proof/state-record.ts'
import { asList, asObject, asOptionalText, asSmallInteger, asText, parseJsonObject } from '../json-fields.ts'
import type { StateAnswer } from '../source.ts'
import { type ExchangeOptions, fetchAll, type NodeClient } from './client.ts'
import type { RpcAnswer, RpcCall } from './envelope.ts'
import { FailedExchange, rejectRpc } from './failure.ts'

/** Nodes take ten calls at once unless told otherwise. */
const CALLS_AT_ONCE = 10
/** A proof has some kilobytes, one of a validator little more. */
const MAX_BYTES = 4 * 1024 * 1024

/** Asks for proofs of keys in the state after `height`. A node that has none says so in each answer. */
export async function fetchState(
  node: NodeClient,
  height: number,
  keys: readonly StateKey[],
  options: ExchangeOptions,
): Promise<StateAnswer[]> {
  const calls = keys.map(({ store, key }): RpcCall => {
    const data = Buffer.from(key).toString('hex')
    return { method: 'abci_query', params: { path: `/store/${store}/key`, data, height: String(height), prove: true } }
  })
  const answers: StateAnswer[] = []
  let atOnce = CALLS_AT_ONCE
  while (answers.length < calls.length) {
    try {
      const some = await fetchAll(node, calls.slice(answers.length, answers.length + atOnce), MAX_BYTES, options)
      answers.push(...some.map(readStateAnswer))
    } catch (error) {
      if (!(error instanceof FailedExchange) || error.failure.kind !== 'batch' || atOnce === 1) throw error
      atOnce = Math.max(1, Math.min(error.failure.maxCalls ?? 1, atOnce - 1))
    }
  }
  return answers
}

const METHOD_NOT_FOUND = -32601

function readStateAnswer(answer: RpcAnswer): StateAnswer {
  if ('error' in answer) {
    if (answer.error.code === METHOD_NOT_FOUND) return { missing: 'proof', reason: 'the node does not answer abci_query' }
    throw rejectRpc(answer.error)
  }
  const response = asObject(parseJsonObject(answer.result, 'abci_query').response, 'response')
  const ops = asList(asObject(response.proofOps ?? {}, 'response.proofOps').ops, 'response.proofOps.ops')
  if (ops.length > 0) return { ops: ops.map(readProofOp) }
  const reason = asOptionalText(response.log, 'response.log').slice(0, 300)
  const code = asSmallInteger(response.code ?? 0, 'response.code')
  // The multistore of the Cosmos SDK refuses what it has pruned and what is not there yet in the same words.
  if (/pruned|version does not exist|no commit info|failed to load/.test(reason)) return { missing: 'state', reason }
  return { missing: 'proof', reason: `the node answers without a proof (code ${code}${reason && `, ${reason}`})` }
}

function readProofOp(value: unknown): ProofOp {
  const op = asObject(value, 'proof_op')
  return {
    type: asText(op.type, 'proof_op.type'),
    key: fromBase64(asOptionalText(op.key, 'proof_op.key')),
    data: fromBase64(asOptionalText(op.data, 'proof_op.data')),
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
