import type { State } from '../state/state.ts'
import type { Family } from './family.ts'
import { createBlockNumbering } from './row-ids.ts'

/** Authorizations and fee allowances: one row per (granter, grantee, authorization), whatever happened to it since. */
export function createGrantsFamily(state: State): Family {
  const grantId = createBlockNumbering()

  /** `prepare` named every pair of accounts it knew; of a pair with a new account the database has nothing. */
  const keyOf = (granterId: number, granteeId: number, authorization: string): [number, number, string] => {
    const key = state.grant.key(granterId, granteeId, authorization)
    if (!state.grant.isLoaded(key)) state.grant.adoptAbsent(key)
    return [granterId, granteeId, authorization]
  }

  return {
    prepare(block, want, idOf) {
      for (const effect of block.effects) {
        if (effect.kind !== 'grant' && effect.kind !== 'revoke') continue
        const granterId = idOf(effect.granter)
        const granteeId = idOf(effect.grantee)
        if (granterId !== undefined && granteeId !== undefined) want.row(state.grant, granterId, granteeId, effect.authorization)
      }
    },

    applyEffect(input, effect) {
      switch (effect.kind) {
        case 'grant': {
          const key = keyOf(input.accountId(effect.granter), input.accountId(effect.grantee), effect.authorization)
          const terms = {
            expiration: effect.expiration,
            params: effect.params ?? {},
            revoked: false,
            revoke_height: null,
            height: input.height,
            time: input.time,
          }
          const known = state.grant.edit(...key)
          if (known) Object.assign(known, terms)
          else {
            const [granter_id, grantee_id, authorization] = key
            state.grant.insert({ id: grantId(input), granter_id, grantee_id, authorization, ...terms })
          }
          return
        }
        case 'revoke': {
          const key = keyOf(input.accountId(effect.granter), input.accountId(effect.grantee), effect.authorization)
          if (state.grant.get(...key)?.revoked !== false) return
          const grant = state.grant.edit(...key)!
          grant.revoked = true
          grant.revoke_height = input.height
          return
        }
      }
    },
  }
}
