/** Rows of mailboxes, tokens, gas paymasters and transfers follow events; the messages say who asked for it, and what events leave out. */
import {
  MsgAnnounceValidatorSchema,
  MsgCreateMerkleRootMultisigIsmSchema,
  MsgCreateMessageIdMultisigIsmSchema,
  MsgCreateNoopIsmSchema,
  MsgCreateRoutingIsmSchema,
  MsgRemoveRoutingIsmDomainSchema,
  MsgSetRoutingIsmDomainSchema,
  MsgUpdateRoutingIsmOwnerSchema,
} from '../../decode/gen/hyperlane/core/interchain_security/v1/types_pb.ts'
import {
  MsgClaimSchema,
  MsgCreateIgpSchema,
  MsgCreateMerkleTreeHookSchema,
  MsgCreateNoopHookSchema,
  MsgPayForGasSchema,
  MsgSetDestinationGasConfigSchema,
  MsgSetIgpOwnerSchema,
} from '../../decode/gen/hyperlane/core/post_dispatch/v1/types_pb.ts'
import {
  MsgCreateMailboxSchema,
  MsgProcessMessageSchema,
  type MsgSetMailbox,
  MsgSetMailboxSchema,
} from '../../decode/gen/hyperlane/core/v1/types_pb.ts'
import {
  MsgCreateCollateralTokenSchema,
  MsgCreateNativeSyntheticTokenSchema,
  MsgCreateSyntheticTokenSchema,
  MsgEnrollRemoteRouterSchema,
  MsgRemoteTransferSchema,
  MsgSetTokenSchema,
  MsgUnrollRemoteRouterSchema,
} from '../../decode/gen/hyperlane/warp/v1/types_pb.ts'
import type { Effect } from '../../types/effects.ts'
import { toHyperlaneId } from '../event/hyperlane.ts'
import { handler, type Link, type MessagePart, type MessageTable, signedBy } from './handler.ts'

function owners(msg: { owner: string; newOwner: string }): MessagePart {
  const links: Link[] = [
    ['owner', msg.owner],
    ['owner', msg.newOwner],
  ]
  return { signers: [msg.owner], links }
}

export const hyperlaneMessages: MessageTable = {
  '/hyperlane.core.v1.MsgCreateMailbox': signedBy(MsgCreateMailboxSchema, 'owner', (msg) => msg.owner),
  '/hyperlane.core.v1.MsgSetMailbox': handler(MsgSetMailboxSchema, (msg) => ({
    ...owners(msg),
    effects: () => setRequiredHook(msg),
  })),
  '/hyperlane.core.v1.MsgProcessMessage': handler(MsgProcessMessageSchema, (msg) => ({
    signers: [msg.relayer],
    links: [['relayer', msg.relayer]],
    delivery: { relayer: msg.relayer, metadata: msg.metadata },
  })),
  '/hyperlane.warp.v1.MsgCreateCollateralToken': signedBy(MsgCreateCollateralTokenSchema, 'owner', (msg) => msg.owner),
  '/hyperlane.warp.v1.MsgCreateSyntheticToken': signedBy(MsgCreateSyntheticTokenSchema, 'owner', (msg) => msg.owner),
  '/hyperlane.warp.v1.MsgCreateNativeSyntheticToken': signedBy(MsgCreateNativeSyntheticTokenSchema, 'owner', (msg) => msg.owner),
  '/hyperlane.warp.v1.MsgSetToken': handler(MsgSetTokenSchema, owners),
  '/hyperlane.warp.v1.MsgEnrollRemoteRouter': signedBy(MsgEnrollRemoteRouterSchema, 'owner', (msg) => msg.owner),
  '/hyperlane.warp.v1.MsgUnrollRemoteRouter': signedBy(MsgUnrollRemoteRouterSchema, 'owner', (msg) => msg.owner),
  '/hyperlane.warp.v1.MsgRemoteTransfer': signedBy(MsgRemoteTransferSchema, 'sender', (msg) => msg.sender),
  '/hyperlane.core.post_dispatch.v1.MsgCreateIgp': signedBy(MsgCreateIgpSchema, 'owner', (msg) => msg.owner),
  '/hyperlane.core.post_dispatch.v1.MsgSetIgpOwner': signedBy(MsgSetIgpOwnerSchema, 'owner', (msg) => msg.owner),
  '/hyperlane.core.post_dispatch.v1.MsgSetDestinationGasConfig': signedBy(
    MsgSetDestinationGasConfigSchema,
    'owner',
    (msg) => msg.owner,
  ),
  '/hyperlane.core.post_dispatch.v1.MsgPayForGas': signedBy(MsgPayForGasSchema, 'sender', (msg) => msg.sender),
  '/hyperlane.core.post_dispatch.v1.MsgClaim': signedBy(MsgClaimSchema, 'sender', (msg) => msg.sender),
  '/hyperlane.core.post_dispatch.v1.MsgCreateMerkleTreeHook': signedBy(
    MsgCreateMerkleTreeHookSchema,
    'owner',
    (msg) => msg.owner,
  ),
  '/hyperlane.core.post_dispatch.v1.MsgCreateNoopHook': signedBy(MsgCreateNoopHookSchema, 'owner', (msg) => msg.owner),
  '/hyperlane.core.interchain_security.v1.MsgCreateMessageIdMultisigIsm': signedBy(
    MsgCreateMessageIdMultisigIsmSchema,
    'sender',
    (msg) => msg.creator,
  ),
  '/hyperlane.core.interchain_security.v1.MsgCreateMerkleRootMultisigIsm': signedBy(
    MsgCreateMerkleRootMultisigIsmSchema,
    'sender',
    (msg) => msg.creator,
  ),
  '/hyperlane.core.interchain_security.v1.MsgCreateNoopIsm': signedBy(MsgCreateNoopIsmSchema, 'sender', (msg) => msg.creator),
  '/hyperlane.core.interchain_security.v1.MsgAnnounceValidator': signedBy(
    MsgAnnounceValidatorSchema,
    'sender',
    (msg) => msg.creator,
  ),
  '/hyperlane.core.interchain_security.v1.MsgCreateRoutingIsm': signedBy(
    MsgCreateRoutingIsmSchema,
    'sender',
    (msg) => msg.creator,
  ),
  '/hyperlane.core.interchain_security.v1.MsgSetRoutingIsmDomain': signedBy(
    MsgSetRoutingIsmDomainSchema,
    'owner',
    (msg) => msg.owner,
  ),
  '/hyperlane.core.interchain_security.v1.MsgRemoveRoutingIsmDomain': signedBy(
    MsgRemoveRoutingIsmDomainSchema,
    'owner',
    (msg) => msg.owner,
  ),
  '/hyperlane.core.interchain_security.v1.MsgUpdateRoutingIsmOwner': signedBy(
    MsgUpdateRoutingIsmOwnerSchema,
    'owner',
    (msg) => msg.owner,
  ),
}

/** The one thing about a mailbox that its event leaves out. */
function setRequiredHook(msg: MsgSetMailbox): Effect[] {
  const mailbox = toHyperlaneId(msg.mailboxId)
  const requiredHook = toHyperlaneId(msg.requiredHook)
  return mailbox === undefined || requiredHook === undefined ? [] : [{ kind: 'hl-mailbox-set', mailbox, requiredHook }]
}
