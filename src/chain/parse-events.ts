import type { ChainEvent } from '../types/chain.ts'
import { asList, asObject, asText, type JsonObject, rejectField } from './json-fields.ts'

/** Block-level events in the one form that the rest of the program knows, whatever generation of node printed them. */
export type BlockEvents = { events: ChainEvent[]; beginEventsCount: number }

/** Nodes of the 0.34 line print begin and end lists, and attributes as base64 everywhere in the same answer. */
export function hasBase64Events(results: JsonObject): boolean {
  return ('begin_block_events' in results || 'end_block_events' in results) && !Array.isArray(results.finalize_block_events)
}

export function parseEvents(value: unknown, isBase64: boolean, field: string): ChainEvent[] {
  const list = asList(value, field)
  const events = new Array<ChainEvent>(list.length)
  for (let i = 0; i < list.length; i++) {
    const event = asObject(list[i], field)
    const type = asText(event.type, `${field}.type`)
    events[i] = { type, attributes: parseAttributes(event.attributes, isBase64, field) }
  }
  return events
}

function parseAttributes(value: unknown, isBase64: boolean, field: string): [string, string][] {
  const list = asList(value, field)
  const attributes = new Array<[string, string]>(list.length)
  for (let i = 0; i < list.length; i++) {
    const entry = list[i] as JsonObject | null
    if (typeof entry !== 'object' || entry === null) rejectField(`${field}.attributes`, 'a list of objects')
    const key = entry.key ?? ''
    const text = entry.value ?? ''
    if (typeof key !== 'string' || typeof text !== 'string') rejectField(`${field}.attributes`, 'pairs of text')
    attributes[i] = isBase64 ? [decodeBase64(key), decodeBase64(text)] : [key, text]
  }
  return attributes
}

function decodeBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}

/** `txEvents` are the events of all txs in order; they are needed to find the copy that some nodes put among the block events. */
export function parseBlockEvents(results: JsonObject, txEvents: () => ChainEvent[]): BlockEvents {
  if (hasBase64Events(results)) {
    const begin = parseEvents(results.begin_block_events, true, 'begin_block_events')
    const end = parseEvents(results.end_block_events, true, 'end_block_events')
    return { events: begin.concat(end), beginEventsCount: begin.length }
  }
  const events = parseEvents(results.finalize_block_events, false, 'finalize_block_events')
  return splitByMode(events) ?? removeTxEvents(events, txEvents())
}

/**
 * Nodes of the 0.38 line mark each event with the part of the block it belongs to. An event without a mark goes with the one
 * before it. Undefined when no event is marked.
 */
function splitByMode(events: ChainEvent[]): BlockEvents | undefined {
  const begin: ChainEvent[] = []
  const end: ChainEvent[] = []
  let part = begin
  let isMarked = false
  for (const event of events) {
    const mode = findMode(event)
    if (mode !== undefined) {
      part = mode === 'EndBlock' ? end : begin
      isMarked = true
    }
    part.push(event)
  }
  return isMarked ? { events: begin.concat(end), beginEventsCount: begin.length } : undefined
}

/** The mark is appended, so it is looked for from the end. */
function findMode(event: ChainEvent): string | undefined {
  for (let i = event.attributes.length - 1; i >= 0; i--) {
    const [key, value] = event.attributes[i]!
    if (key === 'mode' && (value === 'BeginBlock' || value === 'EndBlock' || value === 'PreBlock')) return value
  }
  return undefined
}

/**
 * A 0.38 node that ran an old app through the version multiplexer lists all tx events again between the begin and the end part.
 * Counting them twice would double money, so the copy is cut out; where it stood is the border. Without a copy nothing tells
 * the parts apart, and all events count as begin.
 */
function removeTxEvents(events: ChainEvent[], txEvents: ChainEvent[]): BlockEvents {
  const at = txEvents.length === 0 ? -1 : findRun(events, txEvents)
  if (at < 0) return { events, beginEventsCount: events.length }
  return { events: events.slice(0, at).concat(events.slice(at + txEvents.length)), beginEventsCount: at }
}

/**
 * First position of `run` inside `events`, else -1. Linear (Knuth–Morris–Pratt): a node could send lists of many equal events
 * that keep a plain search busy for minutes.
 */
function findRun(events: readonly ChainEvent[], run: readonly ChainEvent[]): number {
  if (run.length > events.length) return -1
  const fallback = [0]
  for (let i = 1, matched = 0; i < run.length; i++) {
    while (matched > 0 && !equalEvents(run[i]!, run[matched]!)) matched = fallback[matched - 1]!
    if (equalEvents(run[i]!, run[matched]!)) matched++
    fallback[i] = matched
  }
  for (let i = 0, matched = 0; i < events.length; i++) {
    while (matched > 0 && !equalEvents(events[i]!, run[matched]!)) matched = fallback[matched - 1]!
    if (equalEvents(events[i]!, run[matched]!)) matched++
    if (matched === run.length) return i - run.length + 1
  }
  return -1
}

function equalEvents(a: ChainEvent, b: ChainEvent): boolean {
  if (a.type !== b.type || a.attributes.length !== b.attributes.length) return false
  return a.attributes.every(([key, value], i) => {
    const other = b.attributes[i]!
    return key === other[0] && value === other[1]
  })
}
