import { type TEnum, Type } from 'typebox'
import { ADDRESS_ROLES } from '../../types/address-role.ts'
import { EVENT_TYPES } from '../../types/event-type.ts'
import { MESSAGE_TYPES, type MessageType as MessageTypeName } from '../../types/message-type.ts'

/** The closed word lists of the contract. Message types and address roles have their own tables, from which the stored ids come. */
export const MessageType: TEnum<MessageTypeName[]> = Type.Enum([...MESSAGE_TYPES])
export const MsgAddressType = Type.Enum([...ADDRESS_ROLES])
export const Status = Type.Enum(['success', 'failed'])
export const RollupCategory = Type.Enum(['uncategorized', 'finance', 'gaming', 'nft', 'social'])
export const RollupType = Type.Enum(['sovereign', 'settled', 'other'])
export const ProposalStatus = Type.Enum(['inactive', 'active', 'removed', 'applied', 'rejected', 'failed'])
export const ProposalType = Type.Enum(['param_changed', 'text', 'client_update', 'community_pool_spend'])
export const VoteOption = Type.Enum(['yes', 'no', 'no_with_veto', 'abstain'])
export const VoterType = Type.Enum(['address', 'validator'])
export const IbcChannelStatus = Type.Enum(['initialization', 'opened', 'closed'])
export const HLTokenType = Type.Enum(['synthetic', 'collateral'])
export const HLTransferType = Type.Enum(['send', 'receive'])
export const UpgradeStatus = Type.Enum(['processing', 'applied', 'waiting_upgrade'])
export const VestingType = Type.Enum(['delayed', 'periodic', 'permanent', 'continuous'])
export const CelestialsStatus = Type.Enum(['NOT_VERIFIED', 'VERIFIED', 'PRIMARY'])
export const NamespaceKind = Type.Enum([
  'pay_for_blob',
  'tail_padding',
  'tx',
  'parity_shares',
  'primary_reserved_padding',
  'namespace',
])

/** The lists of `GET /enums` that do not depend on data. */
export const ENUMS = {
  status: Status.enum,
  message_type: MessageType.enum,
  event_type: [...EVENT_TYPES],
  categories: RollupCategory.enum,
  rollup_type: RollupType.enum,
  celestials_statuses: CelestialsStatus.enum,
  proposal_status: ProposalStatus.enum,
  proposal_type: ProposalType.enum,
  vote_type: VoterType.enum,
  vote_option: VoteOption.enum,
  ibc_channel_status: IbcChannelStatus.enum,
  hyperlane_token_type: HLTokenType.enum,
  hyperlane_transfer_type: HLTransferType.enum,
  upgrade_status: UpgradeStatus.enum,
}
