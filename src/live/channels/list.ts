import type { HeadWatch } from '../../api/head-watch.ts'
import { writeJson } from '../../api/http/write-json.ts'
import { HeightLog } from '../height-log.ts'
import type { Filters } from '../protocol.ts'
import { PushMessage } from '../push-message.ts'
import type { HeightFeed } from './feed.ts'

const KEEP_BYTES = 16 << 20
/** Entries of one notification: the largest page that REST gives. */
const PER_MESSAGE = 100

export type ListEntry<F> = { json: string; facts: F }
type HeightOfList<F> = { entries: ListEntry<F>[]; byFilter: Map<string, readonly PushMessage[]>; bytes: number }

export type ListChannel<F> = {
  name: string
  /** The rows of a height as REST gives them, with what filters look at. */
  read: (height: number) => Promise<{ row: unknown; facts: F }[]>
  matches: (facts: F, filters: Filters) => boolean
  /** Facts that only some filters need, looked up for those. */
  prepare?: (height: number, entries: readonly ListEntry<F>[], filters: readonly Filters[]) => Promise<void>
  isPrepared?: (entries: readonly ListEntry<F>[], filters: Filters) => boolean
}

/** A channel whose notifications are lists: the rows of a height that match, nothing when none does. Each row is written once. */
export function openListFeed<F>(channel: ListChannel<F>, watch: HeadWatch): HeightFeed {
  const log = new HeightLog<HeightOfList<F>>(
    async (height) => {
      const rows = await channel.read(height)
      const entries = rows.map(({ row, facts }) => ({ json: writeJson(row).trimEnd(), facts }))
      return { entries, byFilter: new Map(), bytes: entries.reduce((sum, { json }) => sum + json.length, 200) }
    },
    watch,
    KEEP_BYTES,
  )

  return {
    peek(height, filters, filterKey) {
      const known = log.peek(height)
      if (!known) return undefined
      const ready = known.byFilter.get(filterKey)
      if (ready) return ready
      if (channel.isPrepared && !channel.isPrepared(known.entries, filters)) return undefined
      const matching = known.entries.filter(({ facts }) => channel.matches(facts, filters))
      const messages = packMessages(channel.name, height, matching)
      known.byFilter.set(filterKey, messages)
      return messages
    },
    async load(height, filters) {
      const { entries } = await log.load(height)
      const open = channel.isPrepared ? filters.filter((each) => !channel.isPrepared?.(entries, each)) : []
      if (open.length > 0) await channel.prepare?.(height, entries, open)
    },
    dropAbove: (height) => log.dropAbove(height),
  }
}

/** Only the last message of a height carries it: who stops before has not seen all of it. */
function packMessages(channel: string, height: number, entries: readonly { json: string }[]): PushMessage[] {
  const messages: PushMessage[] = []
  for (let at = 0; at < entries.length; at += PER_MESSAGE) {
    const rows = entries.slice(at, at + PER_MESSAGE).map(({ json }) => json)
    const isLast = at + PER_MESSAGE >= entries.length
    const json = `{"channel":"${channel}","body":[${rows.join(',')}]}\n`
    messages.push(new PushMessage(channel, json, isLast ? height : undefined))
  }
  return messages
}
