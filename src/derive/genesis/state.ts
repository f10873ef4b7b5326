/** Proposals and grants of a chain that was exported from another one. */
import { allowanceRow, grantRows } from '../../decode/authorization.ts'
import { encodeJsonMessage } from '../../decode/from-json.ts'
import type { Genesis } from '../../decode/genesis.ts'
import { asCoins, asFields, asList, asText } from '../../decode/genesis-fields.ts'
import type { AnyMessage } from '../../decode/tx.ts'
import { decodeAccount, moduleAccount } from '../../lib/bech32.ts'
import { AstrolabeError } from '../../lib/errors.ts'
import type { Effect } from '../../types/effects.ts'
import { parseVoteOptions } from '../event/gov.ts'
import { MessageReader } from '../messages.ts'
import { readProposal } from '../proposal.ts'

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
  return asList(gov.proposals, 'gov.proposals').flatMap((value, i): Effect[] => {
    const path = `gov.proposals[${i}]`
    const proposal = asFields(value, path)
    const text = (key: string) => asText(proposal[key], `${path}.${key}`)
    const id = Number(text('id') || text('proposal_id'))
    if (!Number.isSafeInteger(id) || id === 0) return []
    const messages = asList(proposal.messages, `${path}.messages`).flatMap(encode)
    const content = readProposal(
      { title: text('title'), summary: text('summary'), messages: messages as never },
      (any) => reader.read(any).part,
    )
    // Older documents do not say who proposed.
    const proposer = decodeAccount(text('proposer')) ?? moduleAccount('gov')
    // What a passed one changed is in the document's parameters already.
    const effects: Effect[] = [
      {
        kind: 'submit-proposal',
        id,
        proposer,
        metadata: text('metadata'),
        expedited: proposal.expedited === true,
        ...content,
        constants: [],
      },
    ]
    const status = text('status')
    if (status !== 'PROPOSAL_STATUS_DEPOSIT_PERIOD') effects.push({ kind: 'activate-proposal', id })
    effects.push(...listDeposits(gov.deposits, id), ...listVotes(gov.votes, id))
    const result = ENDED[status]
    if (result) effects.push({ kind: 'end-proposal', id, result, log: text('failed_reason') })
    return effects
  })
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

function listDeposits(value: unknown, id: number): Effect[] {
  return asList(value, 'gov.deposits').flatMap((entry, i): Effect[] => {
    const path = `gov.deposits[${i}]`
    const { proposal_id, depositor: by, amount } = asFields(entry, path)
    const depositor = decodeAccount(asText(by, `${path}.depositor`))
    if (depositor === undefined || Number(proposal_id) !== id) return []
    const utia = asCoins(amount, `${path}.amount`).reduce((sum, coin) => (coin.denom === 'utia' ? sum + coin.amount : sum), 0n)
    return [{ kind: 'deposit', id, depositor, amount: utia }]
  })
}

function listVotes(value: unknown, id: number): Effect[] {
  return asList(value, 'gov.votes').flatMap((entry, i): Effect[] => {
    const { proposal_id, voter: by, options } = asFields(entry, `gov.votes[${i}]`)
    const voter = decodeAccount(asText(by, `gov.votes[${i}].voter`))
    const weighted = parseVoteOptions(JSON.stringify(options ?? []))
    return voter === undefined || Number(proposal_id) !== id || weighted.length === 0
      ? []
      : [{ kind: 'vote', id, voter, options: weighted }]
  })
}
