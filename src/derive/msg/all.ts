import { authzMessages } from './authz.ts'
import { bankMessages } from './bank.ts'
import { blobMessages } from './blob.ts'
import { celestiaMessages } from './celestia.ts'
import { distributionMessages } from './distribution.ts'
import { feegrantMessages } from './feegrant.ts'
import { fibreMessages } from './fibre.ts'
import { govMessages } from './gov.ts'
import { groupMessages } from './group.ts'
import type { MessageHandler } from './handler.ts'
import { hyperlaneMessages } from './hyperlane.ts'
import { ibcAppMessages } from './ibc-apps.ts'
import { ibcChannelMessages } from './ibc-channel.ts'
import { ibcClientMessages } from './ibc-client.ts'
import { sdkMessages } from './sdk.ts'
import { slashingMessages } from './slashing.ts'
import { stakingMessages } from './staking.ts'
import { vestingMessages } from './vesting.ts'

/** Every message type that is understood, by type URL. */
export const MESSAGE_HANDLERS: ReadonlyMap<string, MessageHandler> = new Map(
  Object.entries({
    ...bankMessages,
    ...stakingMessages,
    ...distributionMessages,
    ...slashingMessages,
    ...vestingMessages,
    ...blobMessages,
    ...authzMessages,
    ...feegrantMessages,
    ...govMessages,
    ...ibcClientMessages,
    ...ibcChannelMessages,
    ...ibcAppMessages,
    ...sdkMessages,
    ...groupMessages,
    ...hyperlaneMessages,
    ...celestiaMessages,
    ...fibreMessages,
  }),
)
