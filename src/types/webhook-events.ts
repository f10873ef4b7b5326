/** Every event that can be subscribed to, of the chain and of the owner's key, and the filters that apply to it. */
export const WEBHOOK_EVENTS = {
  block: [],
  tx: ['namespace', 'signer', 'address', 'message_type'],
  blob: ['namespace', 'signer', 'address'],
  transfer: ['address', 'min_amount', 'denom'],
  ibc_transfer: ['address', 'min_amount', 'denom'],
  hyperlane_transfer: ['address', 'min_amount', 'denom'],
  'validator.slashed': ['validator'],
  'validator.jailed': ['validator'],
  'validator.unjailed': ['validator'],
  proposal: ['proposal_status'],
  gas_price: ['min_gas_price'],
  'key.expiring': [],
} as const satisfies Record<string, readonly string[]>

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS
export type WebhookFilterName = (typeof WEBHOOK_EVENTS)[WebhookEvent][number]
