import { hash } from 'node:crypto'
import type { ChainBlock } from '../types/chain.ts'
import { asList, parseJsonObject } from './json-fields.ts'
import { parseResults } from './parse-results.ts'

type Told = Pick<ChainBlock, 'events' | 'beginEventsCount' | 'txResults'>

/**
 * Digest of the part of a block's results that no header seals: events and the codespaces of failed txs, first in any order within a
 * tx or a part of the block, then in theirs. The flag by which a node indexes an attribute, the part of the block that newer nodes name in
 * each event, and the text of an error depend on the node and are left out.
 */
export function hashEvents({ events, beginEventsCount, txResults }: Told): string {
  const ofBlock = events.map(({ type, attributes }) => JSON.stringify([type, attributes.filter(([key]) => key !== 'mode')]))
  const parts = [ofBlock.slice(0, beginEventsCount), ofBlock.slice(beginEventsCount)]
  for (const { codespace, events: own } of txResults) parts.push([codespace, ...own.map((event) => JSON.stringify(event))])
  const inOrder = digest(parts)
  for (const part of parts) part.sort()
  return digest(parts) + inOrder
}

const digest = (parts: readonly string[][]): string => hash('sha256', JSON.stringify(parts), 'hex')

/** Whether two digests are of the same events, in whatever order. */
export function haveSameEvents(a: string, b: string): boolean {
  return a.slice(0, a.length / 2) === b.slice(0, b.length / 2)
}

/** Digest of the events in an answer of `block_results`. */
export function hashEventsOf(results: Uint8Array, height: number): string {
  const answer = parseJsonObject(results, 'results')
  return hashEvents(parseResults(answer, height, asList(answer.txs_results, 'txs_results').length))
}
