import type { Effect } from '../../types/effects.ts'
import type { AccountFieldOf } from '../../types/facts.ts'

/** Fields of effects that hold accounts, as the types of the effects say: their rows are loaded before the effect is applied. */
export type AccountField = AccountFieldOf<Effect>

export type AccountFields = Record<AccountField, true>

/** Types are gone when the program runs, so the names stand here again; one too few or too many does not compile. */
const FIELDS: AccountFields = {
  operator: true,
  delegator: true,
  source: true,
  destination: true,
  proposer: true,
  depositor: true,
  voter: true,
  granter: true,
  grantee: true,
  address: true,
  creator: true,
  sender: true,
  receiver: true,
  owner: true,
  relayer: true,
  signer: true,
}

const ACCOUNT_FIELDS: ReadonlySet<string> = new Set(Object.keys(FIELDS))

/** The accounts that an effect names. */
export function* accountsOf(effect: Effect): Generator<string> {
  for (const field in effect) {
    const value = effect[field as keyof Effect] as unknown
    if (typeof value === 'string' && value !== '' && ACCOUNT_FIELDS.has(field)) yield value
  }
}
