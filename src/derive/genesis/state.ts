/** Proposals and grants of a chain that was exported from another one. */
import { allowanceRow, grantRows } from '../../decode/authorization.ts'
import { encodeJsonMessage } from '../../decode/from-json.ts'
import type { Genesis } from '../../decode/genesis.ts'
import { asCoins, asFields, asInteger, asList, asText } from '../../decode/genesis-fields.ts'
import type { AnyMessage } from '../../decode/tx.ts'
import { decodeAccount, moduleAccount } from '../../lib/encoding/bech32.ts'
import { AstrolabeError } from '../../lib/errors.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { Effect, VoteOption } from '../../types/effects.ts'
import { parseVoteOptions } from '../event/gov.ts'
import { MessageReader } from '../messages.ts'
import { readProposal } from '../proposal.ts'
import { parseTime } from '../time.ts'

type Deposit = Extract<Effect, { kind: 'deposit' }>
type Vote = Extract<Effect, { kind: 'vote' }>

export function listGrants({ authorizations, allowances }: Genesis): Effect[] {
  const effects: Effect[] = []
  for (const { granter: by, grantee: to, ...grant } of authorizations) {
    const granter = decodeAccount(by)
    const grantee = decodeAccount(to)
    if (granter === undefined || grantee === undefined) continue
    for (const row of grantRows(grant)) effects.push({ kind: 'grant', granter, grantee, ...row })
  }
  for (const { granter: by, grantee: to, allowance } of allowances) {
    const granter = decodeAccount(by)
    const grantee = decodeAccount(to)
    if (granter !== undefined && grantee !== undefined)
      effects.push({ kind: 'grant', granter, grantee, ...allowanceRow(allowance) })
  }
  return effects
}

const ENDED: Record<string, 'passed' | 'rejected' | 'failed'> = {
  PROPOSAL_STATUS_PASSED: 'passed',
  PROPOSAL_STATUS_REJECTED: 'rejected',
  PROPOSAL_STATUS_FAILED: 'failed',
}

export function listProposals(section: unknown): Effect[] {
  const gov = asFields(section, 'gov')
  const reader = new MessageReader(true)
  const depositsOf = groupBy(listDeposits(gov.deposits), ({ id }) => id)
  const votesOf = groupBy(listVotes(gov.votes), ({ id }) => id)
  return asList(gov.proposals, 'gov.proposals').flatMap((value, i): Effect[] => {
    const path = `gov.proposals[${i}]`
    const proposal = asFields(value, path)
    const text = (key: string) => asText(proposal[key], `${path}.${key}`)
    const time = (key: string) => parseTime(text(key))
    const id = Number(text('id') || text('proposal_id'))
    if (!Number.isSafeInteger(id) || id === 0) return []
    const messages = asList(proposal.messages, `${path}.messages`).flatMap(encode)
    const content = readProposal(
      { title: text('title'), summary: text('summary'), messages: messages as never },
      (any) => reader.read(any).part,
    )
    // Older documents do not say who proposed.
    const proposer = decodeAccount(text('proposer')) ?? moduleAccount('gov')
    const deposits = depositsOf.get(id) ?? []
    const paid = utiaOf(proposal.total_deposit, `${path}.total_deposit`)
    const listed = deposits.reduce((sum, { amount }) => sum + amount, 0n)
    const [createdAt, depositEnd] = [time('submit_time'), time('deposit_end_time')]
    const status = text('status')
    const result = ENDED[status]
    const { recoveries = [], grants = [], ...about } = content
    // The document already contains the changes of a passed proposal.
    const effects: Effect[] = [
      {
        kind: 'submit-proposal',
        id,
        proposer,
        metadata: text('metadata'),
        expedited: proposal.expedited === true,
        ...about,
        constants: result ? [] : about.constants,
        ...(result || recoveries.length === 0 ? {} : { recoveries }),
        ...(result || grants.length === 0 ? {} : { grants }),
        ...(createdAt && depositEnd ? { past: { createdAt, depositEnd, deposit: paid > listed ? paid - listed : 0n } } : {}),
      },
    ]
    const [start, end] = [time('voting_start_time'), time('voting_end_time')]
    if (status !== 'PROPOSAL_STATUS_DEPOSIT_PERIOD')
      effects.push({ kind: 'activate-proposal', id, ...(start && end ? { period: { start, end } } : {}) })
    effects.push(...deposits, ...(votesOf.get(id) ?? []))
    if (result) {
      const tally = readTally(proposal.final_tally_result, `${path}.final_tally_result`)
      effects.push({ kind: 'end-proposal', id, result, log: text('failed_reason'), tally })
    }
    return effects
  })
}

/** The first gov version writes the same counts under shorter names. */
function readTally(value: unknown, path: string): Record<VoteOption, bigint> {
  const result = asFields(value, path)
  const count = (option: VoteOption) => asInteger(result[`${option}_count`] ?? result[option], `${path}.${option}`)
  return { yes: count('yes'), abstain: count('abstain'), no: count('no'), no_with_veto: count('no_with_veto') }
}

function utiaOf(coins: unknown, path: string): bigint {
  return asCoins(coins, path).reduce((sum, { denom, amount }) => (denom === 'utia' ? sum + amount : sum), 0n)
}

function encode(json: unknown): AnyMessage[] {
  try {
    return [encodeJsonMessage(json)]
  } catch (error) {
    // A kind of message that is not known here says nothing about the proposal.
    if (!(error instanceof AstrolabeError)) throw error
    return []
  }
}

function listDeposits(value: unknown): Deposit[] {
  return asList(value, 'gov.deposits').flatMap((entry, i): Deposit[] => {
    const path = `gov.deposits[${i}]`
    const { proposal_id, depositor: by, amount } = asFields(entry, path)
    const depositor = decodeAccount(asText(by, `${path}.depositor`))
    if (depositor === undefined) return []
    return [{ kind: 'deposit', id: Number(proposal_id), depositor, amount: utiaOf(amount, `${path}.amount`) }]
  })
}

function listVotes(value: unknown): Vote[] {
  return asList(value, 'gov.votes').flatMap((entry, i): Vote[] => {
    const { proposal_id, voter: by, options } = asFields(entry, `gov.votes[${i}]`)
    const voter = decodeAccount(asText(by, `gov.votes[${i}].voter`))
    const weighted = parseVoteOptions(JSON.stringify(options ?? []))
    if (voter === undefined || weighted.length === 0) return []
    return [{ kind: 'vote', id: Number(proposal_id), voter, options: weighted }]
  })
}
