/** Staking state of a chain that was exported from another one. The pools that hold its tokens are balances of the document. */
import { asDec, asFields, asList, asText } from '../../decode/genesis-fields.ts'
import type { GenesisStaking, GenesisValidator } from '../../decode/genesis-staking.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { Effect } from '../../types/effects.ts'
import { consensusKeyOf } from '../msg/staking.ts'
import { cutToMicros } from '../time.ts'

export function listStakingState(staking: GenesisStaking, distribution: unknown): Effect[] {
  const powers = new Map(staking.lastPowers.map(({ operator, power }) => [decodeAccount(operator), power]))
  const commissions = readCommissions(distribution)
  // A large chain has hundreds of validators and hundreds of thousands of delegations: those are sorted out once.
  const delegations = groupBy(staking.delegations, ({ operator }) => decodeAccount(operator))
  return [
    ...staking.validators.flatMap((validator) => [
      ...createValidator(validator, powers, commissions),
      ...listDelegations(validator, delegations.get(decodeAccount(validator.operator)) ?? []),
    ]),
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

/** Commission that validators have earned and not withdrawn, by operator. */
function readCommissions(distribution: unknown): Map<string | undefined, bigint> {
  const path = 'distribution.validator_accumulated_commissions'
  const section = asFields(distribution, 'distribution')
  return new Map(
    asList(section.validator_accumulated_commissions, path).map((value, i) => {
      const at = `${path}[${i}]`
      const { validator_address, accumulated } = asFields(value, at)
      const coins = asList(asFields(accumulated, `${at}.accumulated`).commission, `${at}.commission`)
      const amounts = coins.map((coin) => asFields(coin, `${at}.commission`)).filter(({ denom }) => denom === 'utia')
      const sum = amounts.reduce((sum, { amount }) => sum + asDec(amount, `${at}.amount`), 0n)
      return [decodeAccount(asText(validator_address, `${at}.validator_address`)), sum]
    }),
  )
}

type ByOperator = ReadonlyMap<string | undefined, bigint>

function createValidator(validator: GenesisValidator, powers: ByOperator, commissions: ByOperator): Effect[] {
  const operator = decodeAccount(validator.operator)
  const key = consensusKeyOf(validator.consensusKey)
  if (operator === undefined || key === undefined) return []
  const { securityContact: contacts, ...description } = validator.description
  const { rate, maxRate, maxChangeRate, minSelfDelegation, jailed, status } = validator
  // The power last sent to the consensus counts; without that list, the tokens do.
  const power = powers.get(operator) ?? validator.tokens / 1_000_000n
  const earned = commissions.get(operator)
  const effects: Effect[] = [
    {
      kind: 'create-validator',
      operator,
      delegator: operator,
      ...key,
      description: { ...description, contacts },
      rate,
      maxRate,
      maxChangeRate,
      minSelfDelegation,
      // Its stake follows as delegations, each with its own shares.
      amount: 0n,
      ...(earned ? { commissions: earned } : {}),
    },
    { kind: 'validator-power', ...key, power: status === 'BOND_STATUS_BONDED' ? power : 0n },
  ]
  if (jailed) effects.push({ kind: 'jail', consAddress: key.consAddress })
  return effects
}

/** Shares are exact; whole tokens are cut, so the last delegation takes what is left of the validator's tokens. */
function listDelegations(validator: GenesisValidator, delegations: GenesisStaking['delegations']): Effect[] {
  const operator = decodeAccount(validator.operator)
  if (operator === undefined) return []
  const effects: Extract<Effect, { kind: 'delegate' }>[] = []
  let left = validator.tokens
  for (const { delegator: text, shares } of delegations) {
    const delegator = decodeAccount(text)
    if (delegator === undefined || validator.shares === 0n) continue
    const amount = (shares * validator.tokens) / validator.shares
    left -= amount
    effects.push({ kind: 'delegate', operator, delegator, amount, newShares: shares, count: 'later' })
  }
  const last = effects.at(-1)
  if (last) Object.assign(last, { amount: last.amount + left, count: 'all' })
  return effects
}
