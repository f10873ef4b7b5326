import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSeededRandom, type Random } from '../../src/lib/random.ts'
import { ABSTAIN, aProposal, aWeightedVote, NO, refundedDeposit, VETO, votingEnded, YES } from '../../src/simulation/txs/gov.ts'
import type { Db } from '../../src/store/db.ts'
import { decToText } from '../../src/store/state/column.ts'
import type { ChainBlock, ChainEvent } from '../../src/types/chain.ts'
import { aGenesis, anAccount, aValidator } from '../builders.ts'
import { indexAndReplay } from '../support/built-chain.ts'
import { plain } from './read-rows.ts'
import { StakingModel, UNBONDING_SECONDS } from './staking-model.ts'
import { type Account, type Ballot, type Node, ONE, tally, worth } from './staking-node.ts'

const NAMES = ['one', 'two', 'three', 'four']
const BLOCKS = 60
const DEPOSIT = 1000n
const OPTIONS = [YES, ABSTAIN, NO, VETO]
const delegators = ['alice', 'bob', 'carol'].map(anAccount)
const operators = NAMES.map((name, i) => ({ operator: aValidator(name), name, stake: 9_000_000n + BigInt(i) * 1_234_567n }))

const genesis = () =>
  aGenesis({
    balances: Object.fromEntries(
      [...delegators, ...operators.map(({ operator }) => operator)].map(({ text }) => [text, 500_000_000n]),
    ),
    validators: operators.map(({ name, stake }) => ({ name, stake })),
    appState: {
      staking: { params: { unbonding_time: `${UNBONDING_SECONDS}s`, max_validators: 100, bond_denom: 'utia' } },
      slashing: {
        params: { slash_fraction_double_sign: '0.020000000000000000', slash_fraction_downtime: '0.010000000000000000' },
      },
    },
  })

/** A chain whose people do what comes to their minds. */
function playChain(random: Random): { model: StakingModel; blocks: ChainBlock[]; polls: Poll[] } {
  const model = new StakingModel(operators)
  const polls: Poll[] = []
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!
  const amount = () => BigInt(1 + below(3_000_000))
  const blocks: ChainBlock[] = []
  for (let i = 0; i < BLOCKS; i++) {
    model.beginBlock()
    if (random() < 0.25) {
      const victim = pick(model.nodes)
      const guilty = model.guiltyHeights(victim)
      // Somebody has to stay, or nobody could go on.
      const others = model.nodes.filter((node) => node !== victim && node.bonded && !node.jailed)
      if (guilty && others.length > 1) {
        const [first, last] = guilty
        const isAbsent = victim.bonded && random() < 0.7
        if (isAbsent) model.slash(victim, 'missing_signature', last)
        else model.slash(victim, 'double_sign', Math.max(first, last - below(9)))
      }
    }
    for (const node of model.nodes) if (random() < 0.3) model.create(node, amount() + 1_000_000n)
    // Everybody leaves one of them.
    if (random() < 0.15) {
      const node = pick(model.nodes)
      const others = model.nodes.filter((each) => each !== node && each.bonded && !each.jailed)
      if (others.length > 1) for (const [by, held] of [...node.delegations]) model.undelegate(by, node, worth(node, held))
    }
    for (let actions = below(16); actions > 0; actions--) {
      const node = pick(model.nodes)
      const by = pick([...delegators, node.operator])
      const held = node.delegations.get(by)
      const some = held === undefined ? 0n : random() < 0.2 ? worth(node, held) : BigInt(below(Number(worth(node, held)) + 1))
      switch (below(5)) {
        case 0:
          model.undelegate(by, node, by === node.operator ? some / 3n : some)
          break
        case 1:
          model.redelegate(by, node, pick(model.nodes), by === node.operator ? some / 3n : some)
          break
        case 2: {
          const entry = node.unbondings[below(node.unbondings.length)]
          if (entry) model.cancel(entry.by, node, entry, BigInt(1 + below(Number(entry.balance))))
          break
        }
        case 3:
          model.unjail(node)
          break
        default:
          if (node.shares > 0n || random() < 0.05) model.delegate(by, node, amount())
      }
    }
    blocks.push(model.endBlock(playPolls(model, polls, random)))
  }
  return { model, blocks, polls }
}

type Poll = { id: number; ends: number; votes: Map<Account, Ballot>; result?: bigint[] }

/** Polls are opened, voted on again and again, and closed before the set of validators changes; returns what the chain says of the end. */
function playPolls(model: StakingModel, polls: Poll[], random: Random): ChainEvent[] {
  const below = (limit: number) => Math.floor(random() * limit)
  const proposer = delegators[0]!.text
  const voters = [...delegators, ...model.nodes.map(({ operator }) => operator)]
  if (random() < 0.3) {
    const id = polls.length + 1
    polls.push({ id, ends: model.height + below(8), votes: new Map() })
    model.include(aProposal({ id, from: proposer, deposit: DEPOSIT, opens: true }))
  }
  const events: ChainEvent[] = []
  for (const poll of polls.filter(({ ends }) => ends >= model.height)) {
    for (let votes = below(3); votes > 0; votes--) {
      const voter = voters[below(voters.length)]!
      const [first, second] = [OPTIONS[below(4)]!, OPTIONS[below(4)]!]
      const weight = first === second ? ONE : BigInt(1 + below(999)) * 10n ** 15n
      const ballot: Ballot =
        first === second
          ? [[first, ONE]]
          : [
              [first, weight],
              [second, ONE - weight],
            ]
      poll.votes.set(voter, ballot)
      model.include(
        aWeightedVote(
          voter.text,
          poll.id,
          ballot.map(([option, part]) => [option, decToText(part)]),
        ),
      )
    }
    if (poll.ends !== model.height) continue
    poll.result = tally(model.nodes, poll.votes)
    events.push(...refundedDeposit(proposer, DEPOSIT), votingEnded(poll.id, 'proposal_rejected'))
  }
  return events
}

const nameOf = new Map([...delegators, ...operators.map(({ operator }) => operator)].map(({ hex, text }) => [hex, text]))

async function listRows(sql: Db, table: 'delegation' | 'undelegation'): Promise<string[]> {
  const rows = await sql<{ moniker: string; address: Buffer; amount: string }[]>`
    select v.moniker, a.address, e.amount from ${sql(table)} e join validator v on v.id = e.validator_id join address a on a.id = e.address_id`
  return rows.map(({ moniker, address, amount }) => `${moniker} ${nameOf.get(address.toString('hex'))} ${amount}`).sort()
}

type RowOfValidator = { moniker: string; stake: string; shares: string; jailed: boolean; bonded: boolean }

/** The validators that an operator has made, those that were removed as they were then. */
function listLives({ name, removed, past, tokens, shares, jailed, bonded }: Node): RowOfValidator[] {
  const gone = past.map((life) => ({ moniker: life.name, stake: '0', shares: decToText(0n), jailed: life.jailed, bonded: false }))
  return removed ? gone : [...gone, { moniker: name, stake: String(tokens), shares: decToText(shares), jailed, bonded }]
}

const sortByName = (rows: RowOfValidator[]) => rows.sort((a, b) => (a.moniker < b.moniker ? -1 : 1))

/** Rows are loaded for each block where the seed is even. */
export const testLives = (seeds: readonly number[]): Promise<void> =>
  describe('any life of stakes, slashes and moves', () => {
    for (const seed of seeds) {
      const forgetEach = seed % 2 === 0
      test(`ends with the chain's own numbers: seed ${seed}${forgetEach ? ', rows loaded for each block' : ''}`, async (t) => {
        const { model, blocks, polls } = playChain(createSeededRandom(seed))
        // The pools hold what the model says; the audit of the index compares its stakes with them, block by block and as one batch.
        const chain = await indexAndReplay(genesis(), blocks, { auditEach: true, forgetEach })
        t.after(() => chain.close())
        const validators = await chain.sql`
        select moniker, stake, shares, jailed, bonded from validator where operator is not null`
        assert.deepEqual(sortByName(plain(validators) as RowOfValidator[]), sortByName(model.nodes.flatMap(listLives)))
        assert.deepEqual(
          await listRows(chain.sql, 'delegation'),
          model.nodes
            .flatMap((node) => [...node.delegations].map(([by, shares]) => `${node.name} ${by.text} ${worth(node, shares)}`))
            .sort(),
        )
        assert.deepEqual(
          await listRows(chain.sql, 'undelegation'),
          model.nodes
            .flatMap(({ unbondings }) => unbondings.map((entry) => `${entry.name} ${entry.by.text} ${entry.balance}`))
            .sort(),
        )
        const tallies = await chain.sql`
        select id, yes_voting_power as yes, abstain_voting_power as abstain, no_voting_power as no, no_with_veto_voting_power as veto
        from proposal where status = 'rejected' order by id`
        assert.deepEqual(
          plain(tallies),
          polls.flatMap(({ id, result }) => {
            if (!result) return []
            const [, yes, abstain, no, veto] = result.map(String)
            return [{ id, yes, abstain, no, veto }]
          }),
        )
      })
    }
  })
