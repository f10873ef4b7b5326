/** Staking state of a chain that was exported from another one. The pools that hold its tokens are balances of the document. */
import type { GenesisStaking, GenesisValidator } from '../../decode/genesis-staking.ts'
import { decodeAccount } from '../../lib/bech32.ts'
import type { Effect } from '../../types/effects.ts'
import { consAddressOf } from '../msg/staking.ts'
import { cutToMicros } from '../time.ts'

export function listStakingState(staking: GenesisStaking): Effect[] {
  return [
    ...staking.validators.flatMap((validator) => [...createValidator(validator), ...listDelegations(validator, staking)]),
    ...staking.unbondings.flatMap(({ delegator: from, operator: of, entries }) => {
      const delegator = decodeAccount(from)
      const operator = decodeAccount(of)
      if (delegator === undefined || operator === undefined) return []
      return entries.map(({ balance, initialBalance, creationHeight, completionTime }): Effect => {
        return {
          kind: 'pending-unbonding',
          operator,
          delegator,
          amount: balance,
          initialAmount: initialBalance,
          creationHeight,
          completionTime: cutToMicros(completionTime),
        }
      })
    }),
    ...staking.redelegations.flatMap(({ delegator: by, source: from, destination: to, entries }) => {
      const delegator = decodeAccount(by)
      const source = decodeAccount(from)
      const destination = decodeAccount(to)
      if (delegator === undefined || source === undefined || destination === undefined) return []
      return entries.map(({ initialBalance, shares, creationHeight, completionTime }): Effect => {
        return {
          kind: 'pending-redelegation',
          source,
          destination,
          delegator,
          amount: initialBalance,
          shares,
          creationHeight,
          completionTime: cutToMicros(completionTime),
        }
      })
    }),
  ]
}

function createValidator(validator: GenesisValidator): Effect[] {
  const operator = decodeAccount(validator.operator)
  const consAddress = consAddressOf(validator.consensusKey)
  if (operator === undefined || consAddress === undefined) return []
  const { securityContact: contacts, ...description } = validator.description
  const { rate, maxRate, maxChangeRate, minSelfDelegation, jailed, status } = validator
  const isBonded = status === 'BOND_STATUS_BONDED'
  const effects: Effect[] = [
    {
      kind: 'create-validator',
      operator,
      delegator: operator,
      consAddress,
      description: { ...description, contacts },
      rate,
      maxRate,
      maxChangeRate,
      minSelfDelegation,
      // Its stake follows as delegations, each with its own shares.
      amount: 0n,
    },
    { kind: 'validator-power', consAddress, power: isBonded ? validator.tokens / 1_000_000n : 0n },
  ]
  if (jailed) effects.push({ kind: 'jail', consAddress })
  return effects
}

/** Shares are exact; whole tokens are cut, so the last delegation takes what is left of the validator's tokens. */
function listDelegations(validator: GenesisValidator, { delegations }: GenesisStaking): Effect[] {
  const operator = decodeAccount(validator.operator)
  if (operator === undefined) return []
  const effects: Extract<Effect, { kind: 'delegate' }>[] = []
  let left = validator.tokens
  for (const { delegator: text, operator: of, shares } of delegations) {
    const delegator = decodeAccount(text)
    if (delegator === undefined || decodeAccount(of) !== operator || validator.shares === 0n) continue
    const amount = (shares * validator.tokens) / validator.shares
    left -= amount
    effects.push({ kind: 'delegate', operator, delegator, amount, newShares: shares })
  }
  const last = effects.at(-1)
  if (last) last.amount += left
  return effects
}
