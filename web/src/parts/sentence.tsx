import type { ComponentChildren } from 'preact'
import { formatBytes, formatCoin, formatInteger } from '../format.ts'
import { AddressLink, NamespaceLink } from './values.tsx'

type Fields = Record<string, unknown>
type Say = (data: Fields) => ComponentChildren[]

/** Sentence for each message type; its fields stand below it. */
const SENTENCES: Record<string, Say> = {
  MsgSend: (d) => [who(d.FromAddress), ' sends ', coins(d.Amount), ' to ', who(d.ToAddress)],
  MsgMultiSend: (d) => [...commas(parties(d.Inputs)), ' to ', ...commas(parties(d.Outputs))],
  MsgPayForBlobs: (d) => [who(d.Signer), ` posts ${blobs(d.BlobSizes)} to `, ...commas(namespaces(d.Namespaces))],
  MsgDelegate: (d) => [who(d.DelegatorAddress), ' delegates ', coins(d.Amount), ' to ', who(d.ValidatorAddress)],
  MsgUndelegate: (d) => [who(d.DelegatorAddress), ' takes ', coins(d.Amount), ' back from ', who(d.ValidatorAddress)],
  MsgCancelUnbondingDelegation: (d) => [
    who(d.DelegatorAddress),
    ' leaves ',
    coins(d.Amount),
    ' with ',
    who(d.ValidatorAddress),
    ' after all',
  ],
  MsgBeginRedelegate: (d) => [
    who(d.DelegatorAddress),
    ' moves ',
    coins(d.Amount),
    ' from ',
    who(d.ValidatorSrcAddress),
    ' to ',
    who(d.ValidatorDstAddress),
  ],
  MsgWithdrawDelegatorReward: (d) => [who(d.DelegatorAddress), ' collects rewards from ', who(d.ValidatorAddress)],
  MsgWithdrawValidatorCommission: (d) => [who(d.ValidatorAddress), ' collects its commission'],
  MsgSetWithdrawAddress: (d) => [who(d.DelegatorAddress), ' sends future rewards to ', who(d.WithdrawAddress)],
  MsgFundCommunityPool: (d) => [who(d.Depositor), ' gives ', coins(d.Amount), ' to the community pool'],
  MsgUnjail: (d) => [who(d.ValidatorAddr), ' leaves jail'],
  MsgVote: (d) => [who(d.Voter), ` votes ${vote(d.Option)} on proposal ${text(d.ProposalId)}`],
  MsgDeposit: (d) => [who(d.Depositor), ' deposits ', coins(d.Amount), ` on proposal ${text(d.ProposalId)}`],
  MsgSubmitProposal: (d) => [who(d.Proposer), ` proposes “${text(d.Title)}” with a deposit of `, coins(d.InitialDeposit)],
  MsgGrant: (d) => [who(d.Granter), ' lets ', who(d.Grantee), ' act for it'],
  MsgRevoke: (d) => [who(d.Granter), ' takes a grant back from ', who(d.Grantee)],
  MsgGrantAllowance: (d) => [who(d.Granter), ' pays the fees of ', who(d.Grantee)],
  MsgRevokeAllowance: (d) => [who(d.Granter), ' no longer pays the fees of ', who(d.Grantee)],
  IBCTransfer: (d) => [who(d.Sender), ' sends ', coins(d.Token), ' to ', who(d.Receiver), ` over ${text(d.SourceChannel)}`],
  MsgSignalVersion: (d) => [who(d.ValidatorAddress), ` is ready for version ${text(d.Version)}`],
}

/** Nothing for a type without a sentence, and for fields that are not what the sentence expects. */
export function Sentence({ type, data }: { type: string; data: unknown }) {
  const say = Object.hasOwn(SENTENCES, type) ? SENTENCES[type] : undefined
  if (!say || typeof data !== 'object' || data === null) return null
  return (
    <p class="sentence">
      {say(data as Fields).map((part, i) => (
        <span key={i}>{part}</span>
      ))}
    </p>
  )
}

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value])

const who = (value: unknown) => <AddressLink address={{ hash: text(value) }} />

function coins(value: unknown): string {
  const amounts = list(value).map((coin) => {
    const { Amount, Denom } = coin as Fields
    return formatCoin(text(Amount), text(Denom))
  })
  return amounts.join(', ') || 'nothing'
}

const parties = (value: unknown) =>
  list(value).map((party) => {
    const { Address, Coins } = party as Fields
    return (
      <>
        {who(Address)} ({coins(Coins)})
      </>
    )
  })

function blobs(value: unknown): string {
  const sizes = list(value).map(Number)
  const total = formatBytes(sizes.reduce((sum, size) => sum + size, 0))
  return sizes.length === 1 ? `a blob of ${total}` : `${formatInteger(sizes.length)} blobs, ${total},`
}

const MOST_NAMES = 5

function namespaces(value: unknown): ComponentChildren[] {
  const names = [...new Set(list(value).map(text))]
  const shown = names.slice(0, MOST_NAMES).map((hash) => <NamespaceLink key={hash} hash={hash} />)
  return names.length > MOST_NAMES ? [...shown, `${names.length - MOST_NAMES} more`] : shown
}

const commas = (parts: ComponentChildren[]) => parts.flatMap((part, i) => (i === 0 ? [part] : [', ', part]))

const vote = (value: unknown) => text(value).replace('VOTE_OPTION_', '').toLowerCase().replaceAll('_', ' ')
