/** Events of webhooks, for logs and metrics. */
export type WebhookObserver = {
  /** this process began or ceased to deliver for its network */
  leased(isHeld: boolean): void
  attempted(outcome: 'delivered' | 'failed', seconds: number): void
  /** seconds from the movement of the head to the answer of the receiver, for events of the newest height */
  delivered(delaySeconds: number): void
  paused(facts: { webhook: string; account: string; reason: string; lastError: string | null }): void
  /** a fork took back events that were sent */
  reverted(facts: { height: number; webhooks: number }): void
  /** how many subscriptions fare how, and how far the last of those that do not fail is behind */
  counted(counts: { active: number; failing: number; lagBlocks: number }): void
  /** our own trouble: nothing is lost, it is tried again */
  failed(error: unknown): void
}

export const SILENT_OBSERVER: WebhookObserver = {
  leased: () => {},
  attempted: () => {},
  delivered: () => {},
  paused: () => {},
  reverted: () => {},
  counted: () => {},
  failed: () => {},
}
