import type { IncomingMessage } from 'node:http'
import type { Admission, Allowance } from './admission.ts'
import type { Hub } from './hub.ts'
import type { PushLimits } from './limits.ts'
import type { PushObserver } from './observer.ts'

/** Everything that the ways of being pushed to have in common. */
export type PushContext = {
  hub: Hub
  limits: PushLimits
  admission: Admission
  observer: PushObserver
  allow: (request: IncomingMessage) => Allowance | Promise<Allowance>
}
