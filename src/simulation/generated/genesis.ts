import { makeGenesisDocument } from '../txs/genesis.ts'
import { relayer } from '../txs/ibc.ts'
import { BONDED } from '../txs/staking.ts'
import type { Actors } from './actors.ts'
import type { Profile } from './profile.ts'
import { COLLECTOR } from './rewards.ts'
import type { GeneratedState } from './state.ts'

const DAY_MS = 86_400_000
export const UNBONDING_MS = 21 * DAY_MS
export const VOTING_MS = 1.5 * DAY_MS
export const DEPOSIT = 1_000_000_000n
/** Fee of a genesis tx. */
const GENESIS_FEE = 2000n
/** 5 million TIA each: nobody runs dry. */
const OWNED = 5_000_000_000_000n

const secondsOf = (ms: number) => `${ms / 1000}s`
const coins = (amount: bigint) => [{ denom: 'utia', amount: String(amount) }]

export function makeGenesis(chainId: string, time: number, profile: Profile, actors: Actors): Uint8Array {
  const document = makeGenesisDocument({
    chainId,
    time: new Date(time).toISOString(),
    balances: startingBalances(profile, actors),
    validators: actors.validators.map(({ name, operator, signer }, i) => ({
      name,
      operator,
      key: Buffer.from(signer.publicKey, 'hex'),
      stake: profile.validators[i]!.stake,
      commission: `0.${String(profile.validators[i]!.commission).padStart(2, '0')}0000000000000000`,
    })),
    appState: {
      staking: {
        params: {
          unbonding_time: secondsOf(UNBONDING_MS),
          max_validators: 100,
          max_entries: 7,
          bond_denom: 'utia',
          min_commission_rate: '0.050000000000000000',
        },
      },
      gov: {
        params: {
          min_deposit: coins(DEPOSIT),
          max_deposit_period: secondsOf(7 * DAY_MS),
          voting_period: secondsOf(VOTING_MS),
          expedited_voting_period: secondsOf(DAY_MS),
          expedited_min_deposit: coins(5n * DEPOSIT),
          quorum: '0.334000000000000000',
          threshold: '0.500000000000000000',
          veto_threshold: '0.334000000000000000',
          burn_vote_veto: true,
        },
      },
      blob: { params: { gas_per_blob_byte: 8, gov_max_square_size: '256' } },
      minfee: { params: { network_min_gas_price: '0.000001000000000000' } },
      slashing: {
        params: {
          signed_blocks_window: '5000',
          min_signed_per_window: '0.500000000000000000',
          downtime_jail_duration: '60s',
          slash_fraction_double_sign: '0.020000000000000000',
          slash_fraction_downtime: '0.000000000000000000',
        },
      },
      distribution: { params: { community_tax: '0.020000000000000000', withdraw_addr_enabled: true } },
    },
  })
  return Buffer.from(JSON.stringify(document))
}

function startingBalances({ validators }: Profile, actors: Actors): Record<string, bigint> {
  const owned = [...actors.users, ...actors.rollups, relayer.text].map((address) => [address, OWNED])
  const operators = actors.validators.map(({ text }, i) => [text, OWNED + validators[i]!.stake])
  return Object.fromEntries([...owned, ...operators])
}

/** The state that the genesis document makes. */
export function startState(time: number, profile: Profile, actors: Actors): GeneratedState {
  const balances = startingBalances(profile, actors)
  let bonded = 0n
  for (const [i, { text }] of actors.validators.entries()) {
    balances[text]! -= profile.validators[i]!.stake + GENESIS_FEE
    bonded += profile.validators[i]!.stake
  }
  balances[BONDED] = bonded
  balances[COLLECTOR] = GENESIS_FEE * BigInt(actors.validators.length)
  const powers = profile.validators.map(({ stake }) => stake / 1_000_000n)
  return {
    height: 0,
    time,
    balances,
    validators: profile.validators.map(({ stake }) => ({ tokens: stake, earned: 0n, commission: 0n })),
    delegations: actors.validators.map(({ text }, validator) => ({
      by: text,
      validator,
      amount: profile.validators[validator]!.stake,
      paidTo: 0n,
    })),
    unbondings: [],
    redelegations: [],
    proposals: [],
    nextProposal: { id: 1, at: time + DAY_MS },
    sequences: {},
    packets: { sent: 0n, received: 0n, pending: [] },
    powers: [powers, powers, powers],
  }
}
