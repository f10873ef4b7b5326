import type { Cause } from '../../types/balance-change.ts'
import type { Effect, EffectKind } from '../../types/effects.ts'
import type { State } from '../state/state.ts'
import { NATIVE_DENOM } from './accounts.ts'
import { logChange } from './balance-log.ts'
import type { BlockInput, EffectHandlers, Family } from './family.ts'

/** Why an effect changes the stake of its delegator. */
const CAUSES: Partial<Record<EffectKind, Cause>> = {
  'create-validator': 'delegation',
  delegate: 'delegation',
  unbond: 'unbonding',
  redelegate: 'redelegation',
  'pending-unbonding': 'genesis',
  'cancel-unbonding': 'cancel_unbonding',
  'complete-unbonding': 'unbonded',
  slash: 'slash',
}

/** Stake through time: of accounts effect by effect, of validators block by block. Coins are logged where they move. */
export function createHistoryFamily(state: State): Family {
  const log = (input: BlockInput, effect: Effect, cause: Cause): void => {
    const delegator = 'delegator' in effect ? input.accountId(effect.delegator) : undefined
    const tx = ('tx' in effect ? effect.tx : undefined) ?? null
    const isGenesis = input.block.hash === '' && tx === null
    for (const { part, addressId, amount, balance } of state.stakeMoves.takeAccounts()) {
      const isOwn = delegator === undefined || delegator === addressId
      logChange(state, input, {
        part,
        addressId,
        cause: isGenesis ? 'genesis' : isOwn ? cause : 'rounding',
        denom: NATIVE_DENOM,
        tx,
        amount,
        balance,
      })
    }
  }
  const effects: Partial<EffectHandlers> = {}
  for (const [kind, cause] of Object.entries(CAUSES))
    Object.assign(effects, { [kind]: (input: BlockInput, effect: Effect) => log(input, effect, cause) })

  return {
    begin: ({ height }) => extendSpan(state, height),
    effects,
    apply(input) {
      for (const [validatorId, before] of state.stakeMoves.takeValidators()) {
        const { stake } = state.validator.get(validatorId)!
        if (stake === before) continue
        input.rows.row('stake_change', { id: input.firstId, validator_id: validatorId, amount: stake - before, stake })
        input.changed.validators.add(validatorId)
      }
    },
  }
}

/** Blocks that an older program wrote have no history: it begins again behind them. */
function extendSpan(state: State, height: number): void {
  const span =
    state.historySpan.edit('true') ?? state.historySpan.insert({ one: true, first_height: height, last_height: height - 1 })
  if (span.last_height !== height - 1) span.first_height = height
  span.last_height = height
}
