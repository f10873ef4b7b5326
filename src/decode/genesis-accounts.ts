import { asCoins, asFields, asInteger, asList, asText, type Fields, type GenesisCoin } from './genesis-fields.ts'

export type GenesisVesting = {
  type: 'delayed' | 'continuous' | 'permanent' | 'periodic'
  /** what vests */
  coins: GenesisCoin[]
  /** unix seconds; 0 when the account has none */
  startTime: bigint
  endTime: bigint
  /** lengths in seconds */
  periods: { length: bigint; coins: GenesisCoin[] }[]
}

export type GenesisAccount = {
  /** address text as the document has it */
  address: string
  /** module accounts only */
  name?: string
  vesting?: GenesisVesting
}

const VESTING_TYPES: Readonly<Record<string, GenesisVesting['type']>> = {
  '/cosmos.vesting.v1beta1.DelayedVestingAccount': 'delayed',
  '/cosmos.vesting.v1beta1.ContinuousVestingAccount': 'continuous',
  '/cosmos.vesting.v1beta1.PermanentLockedAccount': 'permanent',
  '/cosmos.vesting.v1beta1.PeriodicVestingAccount': 'periodic',
}

/** Any kind of account: each kind wraps the base account one level deeper than the one before. */
export function readAccount(value: unknown, path: string): GenesisAccount {
  const account = asFields(value, path)
  const vestingBase = asFields(account.base_vesting_account, `${path}.base_vesting_account`)
  const base = asFields(vestingBase.base_account ?? account.base_account ?? account, `${path}.base_account`)
  const result: GenesisAccount = { address: asText(base.address, `${path}.address`) }
  const name = asText(account.name, `${path}.name`)
  if (name !== '') result.name = name
  const type = VESTING_TYPES[asText(account['@type'], `${path}.@type`)]
  if (type) result.vesting = readVesting(type, account, vestingBase, path)
  return result
}

function readVesting(type: GenesisVesting['type'], account: Fields, base: Fields, path: string): GenesisVesting {
  return {
    type,
    coins: asCoins(base.original_vesting, `${path}.original_vesting`),
    startTime: asInteger(account.start_time, `${path}.start_time`),
    endTime: asInteger(base.end_time, `${path}.end_time`),
    periods: asList(account.vesting_periods, `${path}.vesting_periods`).map((value, i) => {
      const at = `${path}.vesting_periods[${i}]`
      const { length, amount } = asFields(value, at)
      return { length: asInteger(length, `${at}.length`), coins: asCoins(amount, `${at}.amount`) }
    }),
  }
}

export type GenesisDenom = {
  base: string
  description: string
  display: string
  name: string
  symbol: string
  uri: string
  units: { denom: string; exponent: number; aliases: string[] }[]
}

export function readDenom(value: unknown, path: string): GenesisDenom {
  const { base, description, display, name, symbol, uri, denom_units } = asFields(value, path)
  return {
    base: asText(base, `${path}.base`),
    description: asText(description, `${path}.description`),
    display: asText(display, `${path}.display`),
    name: asText(name, `${path}.name`),
    symbol: asText(symbol, `${path}.symbol`),
    uri: asText(uri, `${path}.uri`),
    units: asList(denom_units, `${path}.denom_units`).map((unit, i) => {
      const at = `${path}.denom_units[${i}]`
      const { denom, exponent, aliases } = asFields(unit, at)
      return {
        denom: asText(denom, `${at}.denom`),
        exponent: Number(asInteger(exponent, `${at}.exponent`)),
        aliases: asList(aliases, `${at}.aliases`).map((alias) => asText(alias, `${at}.aliases`)),
      }
    }),
  }
}
