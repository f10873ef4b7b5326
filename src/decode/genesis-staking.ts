import { asDec, asFields, asInteger, asList, asMessage, asText, asTime, type Fields } from './genesis-fields.ts'
import type { AnyMessage } from './tx.ts'

/** State of the staking module: empty unless the chain was exported from another one. Shares and rates are values x 10^18. */
export type GenesisStaking = {
  exported: boolean
  validators: GenesisValidator[]
  delegations: { delegator: string; operator: string; shares: bigint }[]
  unbondings: { delegator: string; operator: string; entries: UnbondingEntry[] }[]
  redelegations: { delegator: string; source: string; destination: string; entries: RedelegationEntry[] }[]
  lastPowers: { operator: string; power: bigint }[]
}

type PendingEntry = { creationHeight: number; completionTime: string; initialBalance: bigint }

/** `balance` is what slashes have left of the initial one. */
export type UnbondingEntry = PendingEntry & { balance: bigint }

/** `shares` are those it got at the destination. */
export type RedelegationEntry = PendingEntry & { shares: bigint }

export type GenesisValidator = {
  operator: string
  consensusKey?: AnyMessage
  jailed: boolean
  /** `BOND_STATUS_BONDED`, `…_UNBONDING`, `…_UNBONDED` */
  status: string
  tokens: bigint
  shares: bigint
  description: { moniker: string; identity: string; website: string; securityContact: string; details: string }
  rate: bigint
  maxRate: bigint
  maxChangeRate: bigint
  minSelfDelegation: bigint
}

export function readStaking(value: unknown): GenesisStaking {
  const path = 'staking'
  const section = asFields(value, path)
  return {
    exported: section.exported === true,
    validators: readAll(section, path, 'validators', readValidator),
    delegations: readAll(section, path, 'delegations', (entry, at) => ({
      delegator: asText(entry.delegator_address, `${at}.delegator_address`),
      operator: asText(entry.validator_address, `${at}.validator_address`),
      shares: asDec(entry.shares, `${at}.shares`),
    })),
    unbondings: readAll(section, path, 'unbonding_delegations', (entry, at) => ({
      delegator: asText(entry.delegator_address, `${at}.delegator_address`),
      operator: asText(entry.validator_address, `${at}.validator_address`),
      entries: readAll(entry, at, 'entries', (each, path) => ({
        ...readPending(each, path),
        balance: asInteger(each.balance, `${path}.balance`),
      })),
    })),
    redelegations: readAll(section, path, 'redelegations', (entry, at) => ({
      delegator: asText(entry.delegator_address, `${at}.delegator_address`),
      source: asText(entry.validator_src_address, `${at}.validator_src_address`),
      destination: asText(entry.validator_dst_address, `${at}.validator_dst_address`),
      entries: readAll(entry, at, 'entries', (each, path) => ({
        ...readPending(each, path),
        shares: asDec(each.shares_dst, `${path}.shares_dst`),
      })),
    })),
    lastPowers: readAll(section, path, 'last_validator_powers', (entry, at) => ({
      operator: asText(entry.address, `${at}.address`),
      power: asInteger(entry.power, `${at}.power`),
    })),
  }
}

function readAll<T>(section: Fields, path: string, key: string, read: (entry: Fields, at: string) => T): T[] {
  return asList(section[key], `${path}.${key}`).map((value, i) => {
    const at = `${path}.${key}[${i}]`
    return read(asFields(value, at), at)
  })
}

function readPending(entry: Fields, at: string): PendingEntry {
  return {
    creationHeight: Number(asInteger(entry.creation_height, `${at}.creation_height`)),
    completionTime: asTime(entry.completion_time, `${at}.completion_time`),
    initialBalance: asInteger(entry.initial_balance, `${at}.initial_balance`),
  }
}

function readValidator(entry: Fields, at: string): GenesisValidator {
  const description = asFields(entry.description, `${at}.description`)
  const rates = asFields(asFields(entry.commission, `${at}.commission`).commission_rates, `${at}.commission_rates`)
  const text = (key: string) => asText(description[key], `${at}.description.${key}`)
  return {
    operator: asText(entry.operator_address, `${at}.operator_address`),
    ...(entry.consensus_pubkey ? { consensusKey: asMessage(entry.consensus_pubkey, `${at}.consensus_pubkey`) } : {}),
    jailed: entry.jailed === true,
    status: asText(entry.status, `${at}.status`),
    tokens: asInteger(entry.tokens, `${at}.tokens`),
    shares: asDec(entry.delegator_shares, `${at}.delegator_shares`),
    description: {
      moniker: text('moniker'),
      identity: text('identity'),
      website: text('website'),
      securityContact: text('security_contact'),
      details: text('details'),
    },
    rate: asDec(rates.rate, `${at}.rate`),
    maxRate: asDec(rates.max_rate, `${at}.max_rate`),
    maxChangeRate: asDec(rates.max_change_rate, `${at}.max_change_rate`),
    minSelfDelegation: asInteger(entry.min_self_delegation, `${at}.min_self_delegation`),
  }
}
