import { spendFrom } from '../../derive/spend-limit.ts'
import type { Effect, EffectOf, GrantEffect, GrantTerms } from '../../types/effects.ts'
import type { ProposalGrantRow } from '../state/grant-tables.ts'
import type { State } from '../state/state.ts'
import type { BlockInput, FamilyOf } from './family.ts'
import { createBlockNumbering } from './row-ids.ts'

type GrantKey = Pick<GrantTerms, 'granter' | 'grantee' | 'authorization'>

/** Grants that an effect makes, uses, ends or keeps for later. What a proposal grants is known from its submission to its end. */
export function grantsBehind(state: State, effect: Effect): readonly GrantKey[] {
  switch (effect.kind) {
    case 'grant':
    case 'revoke':
    case 'spend-grant':
      return [effect]
    case 'submit-proposal':
      return effect.grants ?? []
    case 'end-proposal':
      return waitingFor(state, effect.id)
    default:
      return []
  }
}

function waitingFor(state: State, proposalId: number): Readonly<ProposalGrantRow>[] {
  return state.proposalGrant.inGroup('proposal', String(proposalId)).sort((a, b) => a.position - b.position)
}

/** Authorizations and fee allowances: one row per (granter, grantee, authorization), whatever happened to it since. */
export function createGrantsFamily(
  state: State,
): FamilyOf<GrantEffect | EffectOf<'submit-proposal' | 'end-proposal' | 'remove-proposal'>> {
  const grantId = createBlockNumbering()

  /** `prepare` named every pair of accounts it knew; of a pair with a new account the database has nothing. */
  const keyOf = (input: BlockInput, { granter, grantee, authorization }: GrantKey): [number, number, string] => {
    const [granterId, granteeId] = [input.accountId(granter), input.accountId(grantee)]
    const key = state.grant.key(granterId, granteeId, authorization)
    if (!state.grant.isLoaded(key)) state.grant.adoptAbsent(key)
    return [granterId, granteeId, authorization]
  }

  const grant = (input: BlockInput, given: GrantTerms) => {
    const key = keyOf(input, given)
    const terms = {
      expiration: given.expiration,
      params: given.params ?? {},
      remaining: given.limit ?? null,
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
  }

  const revoke = (input: BlockInput, effect: GrantKey) => {
    const key = keyOf(input, effect)
    if (state.grant.get(...key)?.revoked !== false) return
    const grant = state.grant.edit(...key)!
    grant.revoked = true
    grant.remaining = null
    grant.revoke_height = input.height
  }

  const spend = (input: BlockInput, effect: EffectOf<'spend-grant'>) => {
    const key = keyOf(input, effect)
    // The chain tells first that a grant is used up, then what used it up.
    if (!state.grant.get(...key)?.remaining) return
    const grant = state.grant.edit(...key)!
    grant.remaining = spendFrom(grant.remaining!, effect.coins, input.time)
  }

  const keepForLater = ({ id, grants = [] }: EffectOf<'submit-proposal'>) => {
    // An id that comes a second time is not another proposal.
    if (waitingFor(state, id).length > 0) return
    for (const [position, { params, limit, ...terms }] of grants.entries())
      state.proposalGrant.insert({ proposal_id: id, position, ...terms, params: params ?? {}, remaining: limit ?? null })
  }

  const settle = (input: BlockInput, id: number, passed: boolean) => {
    for (const { position, remaining, ...terms } of waitingFor(state, id)) {
      if (passed) grant(input, { ...terms, ...(remaining && { limit: remaining }) })
      state.proposalGrant.remove(id, position)
    }
  }

  return {
    prepare(block, want, idOf) {
      for (const effect of block.effects) {
        for (const { granter, grantee, authorization } of grantsBehind(state, effect)) {
          const granterId = idOf(granter)
          const granteeId = idOf(grantee)
          if (granterId !== undefined && granteeId !== undefined) want.row(state.grant, granterId, granteeId, authorization)
        }
      }
    },

    effects: {
      grant,
      revoke,
      'spend-grant': spend,
      'submit-proposal': (_input, effect) => keepForLater(effect),
      'end-proposal': (input, { id, result }) => {
        if (result !== 'expedited-rejected') settle(input, id, result === 'passed')
      },
      'remove-proposal': (input, { id }) => settle(input, id, false),
    },
  }
}
