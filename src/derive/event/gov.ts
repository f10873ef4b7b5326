/** The life of a proposal: both gov versions emit the same events, only the text of vote options differs between SDK generations. */
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import type { ChainEvent } from '../../types/chain.ts'
import type { VoteOption } from '../../types/effects.ts'
import type { Dec } from '../../types/facts.ts'
import { attributeOf } from '../attributes.ts'
import { parseAmount, utiaOf } from '../coins.ts'
import { parseDec } from '../decimal.ts'
import type { EventTable } from './handler.ts'

const RESULTS: Record<string, 'passed' | 'rejected' | 'failed' | 'expedited-rejected'> = {
  proposal_passed: 'passed',
  proposal_rejected: 'rejected',
  proposal_failed: 'failed',
  expedited_proposal_rejected: 'expedited-rejected',
}

export const govEvents: EventTable = {
  // The proposal itself comes from its message; only the second event of this type means something here.
  submit_proposal: activate,
  proposal_deposit: (event, _at, scope) => {
    const id = idOf(event, 'proposal_id')
    const depositor = decodeAccount(attributeOf(event, 'depositor') ?? scope.actor)
    if (id === undefined || depositor === undefined) return activate(event)
    return { kind: 'deposit', id, depositor, amount: utiaOf(attributeOf(event, 'amount') ?? '') }
  },
  proposal_vote: (event, _at, scope) => {
    const id = idOf(event, 'proposal_id')
    const voter = decodeAccount(attributeOf(event, 'voter') ?? scope.actor)
    const options = parseVoteOptions(attributeOf(event, 'option') ?? '')
    return id === undefined || voter === undefined || options.length === 0 ? undefined : { kind: 'vote', id, voter, options }
  },
  active_proposal: (event) => {
    const id = idOf(event, 'proposal_id')
    const result = RESULTS[attributeOf(event, 'proposal_result') ?? '']
    if (id === undefined || result === undefined) return undefined
    return { kind: 'end-proposal', id, result, log: attributeOf(event, 'proposal_log') ?? '' }
  },
  inactive_proposal: (event) => {
    const id = idOf(event, 'proposal_id')
    return id === undefined ? undefined : { kind: 'remove-proposal', id, reason: 'dropped' }
  },
  cancel_proposal: (event) => {
    const id = idOf(event, 'proposal_id')
    return id === undefined ? undefined : { kind: 'remove-proposal', id, reason: 'cancelled' }
  },
}

function activate(event: ChainEvent): { kind: 'activate-proposal'; id: number } | undefined {
  const id = idOf(event, 'voting_period_start')
  return id === undefined ? undefined : { kind: 'activate-proposal', id }
}

function idOf(event: ChainEvent, key: string): number | undefined {
  const id = parseAmount(attributeOf(event, key))
  return id === undefined || id > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(id)
}

type WeightedOption = { option: VoteOption; weight: Dec }

const OPTIONS: readonly (VoteOption | undefined)[] = [undefined, 'yes', 'abstain', 'no', 'no_with_veto']
const WHOLE: Dec = 10n ** 18n

/** `[{"option":1,"weight":"1.0"}]`, or a line `option:VOTE_OPTION_YES weight:"1.0"` per option. */
export function parseVoteOptions(text: string): WeightedOption[] {
  return text.startsWith('[') || text.startsWith('{') ? parseJsonOptions(text) : parseTextOptions(text)
}

function parseJsonOptions(text: string): WeightedOption[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // The vote is then known only by its event text, which stays in the event.
    return []
  }
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((entry: { option?: unknown; weight?: unknown } | null) => {
    const option = toOption(entry?.option)
    const weight = typeof entry?.weight === 'string' ? parseDec(entry.weight) : WHOLE
    return option === undefined || weight === undefined ? [] : [{ option, weight }]
  })
}

function parseTextOptions(text: string): WeightedOption[] {
  return text.split('\n').flatMap((line) => {
    const option = toOption(/VOTE_OPTION_[A-Z_]+/.exec(line)?.[0])
    const weight = /weight:"([\d.]+)"/.exec(line)?.[1]
    return option === undefined ? [] : [{ option, weight: weight === undefined ? WHOLE : (parseDec(weight) ?? WHOLE) }]
  })
}

function toOption(value: unknown): VoteOption | undefined {
  if (typeof value === 'number') return OPTIONS[value]
  const name = typeof value === 'string' ? value.replace('VOTE_OPTION_', '').toLowerCase() : ''
  return OPTIONS.find((option) => option === name)
}
