/**
 * Message types in the order of the API's enum: the index is the stored id and the bit in `message_types`, so names are only ever added at the end.
 * Behind each name stand its type URLs; the first is the canonical one, which a stored id alone can be turned back into.
 */
const TABLE = [
  ['MsgUnknown'],
  ['MsgSetWithdrawAddress', '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress'],
  ['MsgWithdrawDelegatorReward', '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward'],
  ['MsgWithdrawValidatorCommission', '/cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission'],
  ['MsgFundCommunityPool', '/cosmos.distribution.v1beta1.MsgFundCommunityPool'],
  ['MsgCreateValidator', '/cosmos.staking.v1beta1.MsgCreateValidator'],
  ['MsgEditValidator', '/cosmos.staking.v1beta1.MsgEditValidator'],
  ['MsgDelegate', '/cosmos.staking.v1beta1.MsgDelegate'],
  ['MsgBeginRedelegate', '/cosmos.staking.v1beta1.MsgBeginRedelegate'],
  ['MsgUndelegate', '/cosmos.staking.v1beta1.MsgUndelegate'],
  ['MsgCancelUnbondingDelegation', '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation'],
  ['MsgUnjail', '/cosmos.slashing.v1beta1.MsgUnjail'],
  ['MsgSend', '/cosmos.bank.v1beta1.MsgSend'],
  ['MsgMultiSend', '/cosmos.bank.v1beta1.MsgMultiSend'],
  ['MsgCreateVestingAccount', '/cosmos.vesting.v1beta1.MsgCreateVestingAccount'],
  ['MsgCreatePermanentLockedAccount', '/cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount'],
  ['MsgCreatePeriodicVestingAccount', '/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount'],
  ['MsgPayForBlobs', '/celestia.blob.v1.MsgPayForBlobs'],
  ['MsgGrant', '/cosmos.authz.v1beta1.MsgGrant'],
  ['MsgExec', '/cosmos.authz.v1beta1.MsgExec'],
  ['MsgRevoke', '/cosmos.authz.v1beta1.MsgRevoke'],
  ['MsgGrantAllowance', '/cosmos.feegrant.v1beta1.MsgGrantAllowance'],
  ['MsgRevokeAllowance', '/cosmos.feegrant.v1beta1.MsgRevokeAllowance'],
  ['MsgRegisterEVMAddress', '/celestia.qgb.v1.MsgRegisterEVMAddress'],
  ['MsgSubmitProposal', '/cosmos.gov.v1.MsgSubmitProposal', '/cosmos.gov.v1beta1.MsgSubmitProposal'],
  ['MsgExecLegacyContent', '/cosmos.gov.v1.MsgExecLegacyContent'],
  ['MsgVote', '/cosmos.gov.v1.MsgVote', '/cosmos.gov.v1beta1.MsgVote'],
  ['MsgVoteWeighted', '/cosmos.gov.v1.MsgVoteWeighted', '/cosmos.gov.v1beta1.MsgVoteWeighted'],
  ['MsgDeposit', '/cosmos.gov.v1.MsgDeposit', '/cosmos.gov.v1beta1.MsgDeposit'],
  ['IBCTransfer', '/ibc.applications.transfer.v1.MsgTransfer'],
  ['MsgVerifyInvariant', '/cosmos.crisis.v1beta1.MsgVerifyInvariant'],
  ['MsgSubmitEvidence', '/cosmos.evidence.v1beta1.MsgSubmitEvidence'],
  ['MsgSendNFT', '/cosmos.nft.v1beta1.MsgSend'],
  ['MsgCreateGroup', '/cosmos.group.v1.MsgCreateGroup'],
  ['MsgUpdateGroupMembers', '/cosmos.group.v1.MsgUpdateGroupMembers'],
  ['MsgUpdateGroupAdmin', '/cosmos.group.v1.MsgUpdateGroupAdmin'],
  ['MsgUpdateGroupMetadata', '/cosmos.group.v1.MsgUpdateGroupMetadata'],
  ['MsgCreateGroupPolicy', '/cosmos.group.v1.MsgCreateGroupPolicy'],
  ['MsgUpdateGroupPolicyAdmin', '/cosmos.group.v1.MsgUpdateGroupPolicyAdmin'],
  ['MsgCreateGroupWithPolicy', '/cosmos.group.v1.MsgCreateGroupWithPolicy'],
  ['MsgUpdateGroupPolicyDecisionPolicy', '/cosmos.group.v1.MsgUpdateGroupPolicyDecisionPolicy'],
  ['MsgUpdateGroupPolicyMetadata', '/cosmos.group.v1.MsgUpdateGroupPolicyMetadata'],
  ['MsgSubmitProposalGroup', '/cosmos.group.v1.MsgSubmitProposal'],
  ['MsgWithdrawProposal', '/cosmos.group.v1.MsgWithdrawProposal'],
  ['MsgVoteGroup', '/cosmos.group.v1.MsgVote'],
  ['MsgExecGroup', '/cosmos.group.v1.MsgExec'],
  ['MsgLeaveGroup', '/cosmos.group.v1.MsgLeaveGroup'],
  ['MsgSoftwareUpgrade', '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade'],
  ['MsgCancelUpgrade', '/cosmos.upgrade.v1beta1.MsgCancelUpgrade'],
  ['MsgRegisterInterchainAccount', '/ibc.applications.interchain_accounts.controller.v1.MsgRegisterInterchainAccount'],
  ['MsgSendTx', '/ibc.applications.interchain_accounts.controller.v1.MsgSendTx'],
  ['MsgRegisterPayee', '/ibc.applications.fee.v1.MsgRegisterPayee'],
  ['MsgRegisterCounterpartyPayee', '/ibc.applications.fee.v1.MsgRegisterCounterpartyPayee'],
  ['MsgPayPacketFee', '/ibc.applications.fee.v1.MsgPayPacketFee'],
  ['MsgPayPacketFeeAsync', '/ibc.applications.fee.v1.MsgPayPacketFeeAsync'],
  // In the enum of the API, never produced: token transfers over IBC are `IBCTransfer`.
  ['MsgTransfer'],
  ['MsgCreateClient', '/ibc.core.client.v1.MsgCreateClient'],
  ['MsgUpdateClient', '/ibc.core.client.v1.MsgUpdateClient'],
  ['MsgUpgradeClient', '/ibc.core.client.v1.MsgUpgradeClient'],
  ['MsgSubmitMisbehaviour', '/ibc.core.client.v1.MsgSubmitMisbehaviour'],
  ['MsgRecoverClient', '/ibc.core.client.v1.MsgRecoverClient'],
  ['MsgIBCSoftwareUpgrade', '/ibc.core.client.v1.MsgIBCSoftwareUpgrade'],
  [
    'MsgUpdateParams',
    '/cosmos.bank.v1beta1.MsgUpdateParams',
    '/cosmos.staking.v1beta1.MsgUpdateParams',
    '/cosmos.distribution.v1beta1.MsgUpdateParams',
    '/cosmos.slashing.v1beta1.MsgUpdateParams',
    '/cosmos.gov.v1.MsgUpdateParams',
    '/ibc.core.client.v1.MsgUpdateParams',
    '/ibc.core.connection.v1.MsgUpdateParams',
    '/ibc.core.channel.v1.MsgUpdateParams',
    '/ibc.applications.transfer.v1.MsgUpdateParams',
    '/ibc.applications.interchain_accounts.controller.v1.MsgUpdateParams',
    '/ibc.applications.interchain_accounts.host.v1.MsgUpdateParams',
    '/cosmos.consensus.v1.MsgUpdateParams',
    '/cosmos.auth.v1beta1.MsgUpdateParams',
    '/cosmos.crisis.v1beta1.MsgUpdateParams',
  ],
  ['MsgConnectionOpenInit', '/ibc.core.connection.v1.MsgConnectionOpenInit'],
  ['MsgConnectionOpenTry', '/ibc.core.connection.v1.MsgConnectionOpenTry'],
  ['MsgConnectionOpenAck', '/ibc.core.connection.v1.MsgConnectionOpenAck'],
  ['MsgConnectionOpenConfirm', '/ibc.core.connection.v1.MsgConnectionOpenConfirm'],
  ['MsgChannelOpenInit', '/ibc.core.channel.v1.MsgChannelOpenInit'],
  ['MsgChannelOpenTry', '/ibc.core.channel.v1.MsgChannelOpenTry'],
  ['MsgChannelOpenAck', '/ibc.core.channel.v1.MsgChannelOpenAck'],
  ['MsgChannelOpenConfirm', '/ibc.core.channel.v1.MsgChannelOpenConfirm'],
  ['MsgChannelCloseInit', '/ibc.core.channel.v1.MsgChannelCloseInit'],
  ['MsgChannelCloseConfirm', '/ibc.core.channel.v1.MsgChannelCloseConfirm'],
  ['MsgRecvPacket', '/ibc.core.channel.v1.MsgRecvPacket'],
  ['MsgTimeout', '/ibc.core.channel.v1.MsgTimeout'],
  ['MsgTimeoutOnClose', '/ibc.core.channel.v1.MsgTimeoutOnClose'],
  ['MsgAcknowledgement', '/ibc.core.channel.v1.MsgAcknowledgement'],
  ['MsgSignalVersion', '/celestia.signal.v1.MsgSignalVersion'],
  ['MsgTryUpgrade', '/celestia.signal.v1.MsgTryUpgrade'],
  ['MsgCreateMailbox', '/hyperlane.core.v1.MsgCreateMailbox'],
  ['MsgProcessMessage', '/hyperlane.core.v1.MsgProcessMessage'],
  ['MsgSetMailbox', '/hyperlane.core.v1.MsgSetMailbox'],
  ['MsgCreateCollateralToken', '/hyperlane.warp.v1.MsgCreateCollateralToken'],
  ['MsgCreateSyntheticToken', '/hyperlane.warp.v1.MsgCreateSyntheticToken'],
  ['MsgSetToken', '/hyperlane.warp.v1.MsgSetToken'],
  ['MsgEnrollRemoteRouter', '/hyperlane.warp.v1.MsgEnrollRemoteRouter'],
  ['MsgUnrollRemoteRouter', '/hyperlane.warp.v1.MsgUnrollRemoteRouter'],
  ['MsgRemoteTransfer', '/hyperlane.warp.v1.MsgRemoteTransfer'],
  ['MsgUpdateMinfeeParams', '/celestia.minfee.v1.MsgUpdateMinfeeParams'],
  ['MsgCreateIgp', '/hyperlane.core.post_dispatch.v1.MsgCreateIgp'],
  ['MsgSetIgpOwner', '/hyperlane.core.post_dispatch.v1.MsgSetIgpOwner'],
  ['MsgSetDestinationGasConfig', '/hyperlane.core.post_dispatch.v1.MsgSetDestinationGasConfig'],
  ['MsgPayForGas', '/hyperlane.core.post_dispatch.v1.MsgPayForGas'],
  ['MsgClaim', '/hyperlane.core.post_dispatch.v1.MsgClaim'],
  ['MsgCreateMerkleTreeHook', '/hyperlane.core.post_dispatch.v1.MsgCreateMerkleTreeHook'],
  ['MsgCreateNoopHook', '/hyperlane.core.post_dispatch.v1.MsgCreateNoopHook'],
  ['MsgCreateMessageIdMultisigIsm', '/hyperlane.core.interchain_security.v1.MsgCreateMessageIdMultisigIsm'],
  ['MsgCreateMerkleRootMultisigIsm', '/hyperlane.core.interchain_security.v1.MsgCreateMerkleRootMultisigIsm'],
  ['MsgCreateNoopIsm', '/hyperlane.core.interchain_security.v1.MsgCreateNoopIsm'],
  ['MsgAnnounceValidator', '/hyperlane.core.interchain_security.v1.MsgAnnounceValidator'],
  ['MsgCreateRoutingIsm', '/hyperlane.core.interchain_security.v1.MsgCreateRoutingIsm'],
  ['MsgSetRoutingIsmDomain', '/hyperlane.core.interchain_security.v1.MsgSetRoutingIsmDomain'],
  ['MsgRemoveRoutingIsmDomain', '/hyperlane.core.interchain_security.v1.MsgRemoveRoutingIsmDomain'],
  ['MsgUpdateRoutingIsmOwner', '/hyperlane.core.interchain_security.v1.MsgUpdateRoutingIsmOwner'],
  ['MsgUpdateBlobParams', '/celestia.blob.v1.MsgUpdateBlobParams'],
  ['MsgPruneExpiredGrants', '/cosmos.authz.v1beta1.MsgPruneExpiredGrants'],
  ['MsgSetSendEnabled', '/cosmos.bank.v1beta1.MsgSetSendEnabled'],
  ['MsgAuthorizeCircuitBreaker', '/cosmos.circuit.v1.MsgAuthorizeCircuitBreaker'],
  ['MsgResetCircuitBreaker', '/cosmos.circuit.v1.MsgResetCircuitBreaker'],
  ['MsgTripCircuitBreaker', '/cosmos.circuit.v1.MsgTripCircuitBreaker'],
  ['MsgModuleQuerySafe', '/ibc.applications.interchain_accounts.host.v1.MsgModuleQuerySafe'],
  ['MsgForward', '/celestia.forwarding.v1.MsgForward'],
  ['MsgCreateInterchainSecurityModule', '/celestia.zkism.v1.MsgCreateInterchainSecurityModule'],
  ['MsgUpdateInterchainSecurityModule', '/celestia.zkism.v1.MsgUpdateInterchainSecurityModule'],
  ['MsgSubmitMessages', '/celestia.zkism.v1.MsgSubmitMessages'],
] as const

export type MessageType = (typeof TABLE)[number][0]

export const MESSAGE_TYPES: readonly MessageType[] = TABLE.map(([name]) => name)

export const MSG_UNKNOWN = 0

const idByTypeUrl = new Map<string, number>()
const idByName = new Map<string, number>()
const typeUrlById: string[] = []
for (const [id, [name, ...typeUrls]] of TABLE.entries()) {
  idByName.set(name, id)
  typeUrlById.push(typeUrls[0] ?? '')
  for (const typeUrl of typeUrls) idByTypeUrl.set(typeUrl, id)
}

/** Stored id of a type URL with its leading slash; 0 (`MsgUnknown`) when the enum has no name for it. */
export function messageTypeOf(typeUrl: string): number {
  return idByTypeUrl.get(typeUrl) ?? MSG_UNKNOWN
}

/** Stored id of an enum name, undefined when the enum has no such name. */
export function messageTypeId(name: string): number | undefined {
  return idByName.get(name)
}

export function messageTypeName(id: number): MessageType {
  return MESSAGE_TYPES[id] ?? 'MsgUnknown'
}

/** Canonical type URL of a stored id; empty for `MsgUnknown`, whose URL has to be kept beside the message. */
export function typeUrlOf(id: number): string {
  return typeUrlById[id] ?? ''
}
