import { Transient } from '../../lib/errors.ts'
import { withLinkedSignal } from '../../lib/linked-signal.ts'
import type { Witness } from '../source.ts'
import { fetchCommit, fetchGenesis, fetchResults, fetchSingle, fetchValidators, type NodeClient } from './client.ts'
import { type Failure, toFailure } from './failure.ts'
import { fetchState } from './state.ts'

/** One node by itself. Questions are few and small, so that they do not wait for a place among those for blocks. */
export function createWitness(client: NodeClient, closed: AbortSignal): Witness {
  async function ask<T>(
    subject: string,
    signal: AbortSignal,
    send: (either: AbortSignal) => Promise<T>,
    absent: readonly Failure['kind'][] = ['behind', 'pruned'],
  ): Promise<T | undefined> {
    try {
      return await withLinkedSignal([signal, closed], send)
    } catch (error) {
      const failure = toFailure(error)
      if (!failure) throw error
      if (absent.includes(failure.kind)) return undefined
      throw new Transient('no_witness', `${client.label} does not tell about ${subject}: ${failure.reason}`, {}, error)
    }
  }
  return {
    origin: client.label,
    async genesis(signal) {
      const document = await ask('its genesis', signal, (either) => fetchGenesis(client, { signal: either }))
      if (!document) throw new Transient('no_genesis', `${client.label} does not have its genesis`)
      return document
    },
    validators: (height, signal) =>
      ask(`the validators of height ${height}`, signal, (either) => fetchValidators(client, height, { signal: either })),
    async state(height, keys, signal) {
      const subject = `the state after height ${height}`
      const answers = await ask(subject, signal, (either) => fetchState(client, height, keys, { signal: either }))
      return answers ?? keys.map(() => ({ missing: 'state', reason: `${client.label} does not have ${subject}` }))
    },
    block: (height, signal) => ask(`height ${height}`, signal, (either) => fetchSingle(client, height, { signal: either })),
    results: (height, signal) =>
      ask(`the results of height ${height}`, signal, (either) => fetchResults(client, height, { signal: either }), [
        'behind',
        'pruned',
        'results',
      ]),
    async commit(height, signal) {
      const answer = await ask(`height ${height}`, signal, (either) => fetchCommit(client, height, { signal: either }))
      if (!answer) throw new Transient('no_commit', `${client.label} does not have the commit of height ${height}`, { height })
      return answer
    },
  }
}
