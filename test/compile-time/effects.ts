/**
 * Nothing here runs: `tsc` proves that what must not be forgotten does not compile when it is. An `@ts-expect-error` without an error
 * below it is an error itself, so a trap that comes back fails the build.
 */

import type { EffectHandlers, FamilyOf } from '../../src/store/families/family.ts'
import type { AccountField, AccountFields } from '../../src/store/write/apply-batch.ts'
import { applyEveryKind } from '../../src/store/write/families.ts'
import type { Effect, EffectKind, EffectOf, GrantEffect } from '../../src/types/effects.ts'
import type { AccountFieldOf, AddressHex } from '../../src/types/facts.ts'

declare const everyKindButVotes: FamilyOf<Exclude<Effect, EffectOf<'vote'>>>
declare const votes: FamilyOf<EffectOf<'vote'>>
declare const handler: () => void

export const complete = [
  applyEveryKind([everyKindButVotes, votes]),
  // @ts-expect-error nobody applies `vote`
  applyEveryKind([everyKindButVotes]),
]

export const grants: FamilyOf<GrantEffect>[] = [
  { effects: { grant: handler, revoke: handler, 'spend-grant': handler } },
  // @ts-expect-error the family of grants leaves `revoke` out
  { effects: { grant: handler, 'spend-grant': handler } },
  // @ts-expect-error a kind that does not exist
  { effects: { grant: handler, revoke: handler, 'spend-grant': handler, regrant: handler } },
]

export const wrongEffect: Partial<EffectHandlers<EffectKind>> = {
  // @ts-expect-error the handler of one kind is not that of another
  vote: (_input, effect: EffectOf<'deposit'>) => effect.depositor,
}

declare const accountFields: AccountFields
const { voter, ...withoutVoter } = accountFields

// @ts-expect-error the accounts of voters would not be loaded
export const fieldForgotten: AccountFields = withoutVoter
// @ts-expect-error no effect has such an account
export const fieldInvented: AccountFields = { ...withoutVoter, voter, butler: true }

type NewEffect = { kind: 'new'; payee: AddressHex; payer?: AddressHex | null; memo: string }
export const foundByType: Record<AccountFieldOf<NewEffect>, true> = { payee: true, payer: true }

/** Accounts are found by the name of the field: no effect may use such a name for another text. */
type TextField<E> = { [F in keyof E]: Extract<E[F], string> extends never ? never : F }[keyof E]
type Misnamed<E> = E extends unknown ? Exclude<Extract<TextField<E>, AccountField>, AccountFieldOf<E>> : never
export const misnamed: [Misnamed<Effect>] extends [never] ? true : Misnamed<Effect> = true
