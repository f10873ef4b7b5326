import { hash } from 'node:crypto'
import type { ChainBlock } from '../types/chain.ts'
import { asList, parseJsonObject } from './json-fields.ts'
import { parseResults } from './parse-results.ts'

type Told = Pick<ChainBlock, 'events' | 'beginEventsCount' | 'txResults'>

/**
 * Digest of the part of a block's results that no header seals: events in their order, and the codespaces of failed txs. The flag by
 * which a node indexes an attribute, the part of the block that newer nodes name in each event, and the text of an error depend on
 * the node and are left out.
 */
export function hashEvents({ events, beginEventsCount, txResults }: Told): string {
  const ofBlock = events.map(({ type, attributes }) => [type, attributes.filter(([key]) => key !== 'mode')])
  const ofTxs = txResults.map(({ codespace, events: own }) => [codespace, own])
  return hash('sha256', JSON.stringify([beginEventsCount, ofBlock, ofTxs]), 'hex')
}

/** Digest of the events in an answer of `block_results`. */
export function hashEventsOf(results: Uint8Array, height: number): string {
  const answer = parseJsonObject(results, 'results')
  return hashEvents(parseResults(answer, height, asList(answer.txs_results, 'txs_results').length))
}
