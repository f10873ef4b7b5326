import type { Feed } from '../feed/feed.ts'
import type { Entry, PlainKind } from '../feed/kind.ts'
import type { Filters, HeightChannel } from './protocol.ts'
import { PushMessage } from './push-message.ts'

/** Entries of one notification: the largest page that REST gives. */
const PER_MESSAGE = 100

/** Channel of heights as a session sees it. */
export interface ChannelReader {
  /** Messages of a height for one filter, none when nothing matches; undefined when they have to be loaded first. */
  peek(height: number, filters: Filters, filterKey: string): readonly PushMessage[] | undefined
  /** Makes `peek` answer for all of `filters`. Rejects when the database is away or the height is gone. */
  load(height: number, filters: readonly Filters[]): Promise<void>
}

/** The feed as messages of a channel. Each is written once for all subscriptions with the same filters. */
export function openChannel(feed: Feed, channel: HeightChannel): ChannelReader {
  const kind: PlainKind = feed.kinds[channel] as PlainKind
  // Goes with the entries, when the feed forgets them.
  const written = new WeakMap<readonly Entry[], Map<string, readonly PushMessage[]>>()
  return {
    peek(height, filters, filterKey) {
      const entries = feed.peek(kind, height)
      if (!entries) return undefined
      const byFilter = written.get(entries) ?? new Map<string, readonly PushMessage[]>()
      const ready = byFilter.get(filterKey)
      if (ready) return ready
      if (kind.isPrepared && !kind.isPrepared(entries, filters)) return undefined
      const matching = entries.filter((entry) => kind.matches(entry, filters)).map(({ json }) => json)
      const messages = channel === 'blocks' ? matching.map(toBlock(height)) : toLists(channel, height, matching)
      written.set(entries, byFilter.set(filterKey, messages))
      return messages
    },
    async load(height, filters) {
      await feed.load(kind, { height }, () => filters)
    },
  }
}

const toBlock = (height: number) => (json: string) => new PushMessage('blocks', `{"channel":"blocks","body":${json}}\n`, height)

/** Only the last message of a height carries it: a client that stops before has not seen all of it. */
function toLists(channel: string, height: number, rows: readonly string[]): PushMessage[] {
  const messages: PushMessage[] = []
  for (let at = 0; at < rows.length; at += PER_MESSAGE) {
    const isLast = at + PER_MESSAGE >= rows.length
    const json = `{"channel":"${channel}","body":[${rows.slice(at, at + PER_MESSAGE).join(',')}]}\n`
    messages.push(new PushMessage(channel, json, isLast ? height : undefined))
  }
  return messages
}
