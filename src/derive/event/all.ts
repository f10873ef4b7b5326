import { forwardingEvents } from './forwarding.ts'
import { govEvents } from './gov.ts'
import { grantEvents } from './grants.ts'
import type { EventHandler } from './handler.ts'
import { hyperlaneEvents } from './hyperlane.ts'
import { ibcEvents } from './ibc.ts'
import { stakingEvents } from './staking.ts'
import { zkismEvents } from './zkism.ts'

/** Events that change state, by type. Coins, rewards and minting are counted apart because every block is full of them. */
export const EVENT_HANDLERS: ReadonlyMap<string, EventHandler> = new Map(
  Object.entries({
    ...stakingEvents,
    ...govEvents,
    ...grantEvents,
    ...ibcEvents,
    ...hyperlaneEvents,
    ...forwardingEvents,
    ...zkismEvents,
  }),
)
