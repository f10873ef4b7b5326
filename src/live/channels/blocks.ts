import type { HeadWatch } from '../../api/head-watch.ts'
import type { Bodies } from '../bodies.ts'
import { HeightLog } from '../height-log.ts'
import { PushMessage } from '../push-message.ts'
import type { HeightFeed } from './feed.ts'

/** Two replays of a thousand blocks: what clients ask for after a restart is read once. */
const KEEP_BYTES = 4 << 20

/** One message per height: the block with its stats and proposer. `onLoad` hears the hash, in lower case, of what may be sent. */
export function openBlocksFeed(bodies: Bodies, watch: HeadWatch, onLoad: (height: number, hash: string) => void): HeightFeed {
  const log = new HeightLog(
    async (height) => {
      const block = await bodies.block(height)
      if (!block) return undefined
      const message = PushMessage.of('blocks', block, height)
      return { messages: [message], hash: String(block.hash).toLowerCase(), bytes: message.bytes }
    },
    watch,
    KEEP_BYTES,
  )
  return {
    peek: (height) => log.peek(height)?.messages,
    load: async (height) => onLoad(height, (await log.load(height)).hash),
    dropAbove: (height) => log.dropAbove(height),
  }
}
