import type { IncomingMessage } from 'node:http'
import type { Allowance, Gate } from './admission.ts'
import type { Hub } from './hub.ts'
import type { PushLimits } from './limits.ts'
import type { PushObserver } from './observer.ts'

/** Everything that the ways of being pushed to have in common. */
export type PushContext = {
  hub: Hub
  limits: PushLimits
  gate: Gate
  observer: PushObserver
  allow: (request: IncomingMessage) => Allowance | Promise<Allowance>
  /** Allowance of a key that comes in a message; throws what is wrong with it. */
  allowKey?: ((request: IncomingMessage, key: string) => Allowance) | undefined
}
