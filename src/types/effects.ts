/**
 * State changes of a block, one record per change, in chain order. `derive` reads them from messages and events,
 * `store/families` apply them to rows. Times are RFC 3339 UTC with at most 6 fraction digits.
 */
import type { ValidatorUpdate } from './chain.ts'
import type { AddressHex, Dec } from './facts.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Where in the block a change came from: index of the tx, and of the message in the block; absent for block-level changes. */
export type Origin = { tx?: number; message?: number }

export type ValidatorDescription = { moniker: string; identity: string; website: string; contacts: string; details: string }

export type StakingEffect =
  | ({
      kind: 'create-validator'
      operator: AddressHex
      delegator: AddressHex
      /** upper-case hex */
      consAddress: string
      /** lower-case hex */
      publicKey: string
      description: ValidatorDescription
      rate: Dec
      maxRate: Dec
      maxChangeRate: Dec
      minSelfDelegation: bigint
      amount: bigint
      /** earned before an exported genesis state and not withdrawn */
      commissions?: Dec
    } & Origin)
  | ({
      kind: 'edit-validator'
      operator: AddressHex
      /** only the fields that change (`[do-not-modify]` is left out) */
      description: Partial<ValidatorDescription>
      rate?: Dec
      minSelfDelegation?: bigint
    } & Origin)
  /**
   * `newShares` as the event states it, else the writer computes amount x shares / tokens. `count` of a genesis state, where a validator
   * has thousands: whole units are counted when the last of its delegations is there, for all of them.
   */
  | ({
      kind: 'delegate'
      operator: AddressHex
      delegator: AddressHex
      amount: bigint
      newShares?: Dec
      count?: 'later' | 'all'
    } & Origin)
  /**
   * `amount` as the event states it. `requested` is the amount of the message where there is one: after a slash the chain converts it to
   * shares and back, and the event may state one unit less. `statesRequest`: the event repeats what was asked for (SDK 0.46), so what
   * was given back has to be computed.
   */
  | ({
      kind: 'unbond'
      operator: AddressHex
      delegator: AddressHex
      amount: bigint
      requested?: bigint
      statesRequest?: true
      completionTime: string
    } & Origin)
  /** no `completionTime`: the redelegation is complete at once and leaves no row */
  | ({
      kind: 'redelegate'
      source: AddressHex
      destination: AddressHex
      delegator: AddressHex
      amount: bigint
      completionTime?: string
    } & Origin)
  /** an open entry of an exported genesis state: its stake has left the validator before */
  | {
      kind: 'pending-unbonding'
      operator: AddressHex
      delegator: AddressHex
      amount: bigint
      initialAmount: bigint
      creationHeight: number
      completionTime: string
    }
  /** the same of a redelegation: its stake is at the destination already */
  | {
      kind: 'pending-redelegation'
      source: AddressHex
      destination: AddressHex
      delegator: AddressHex
      amount: bigint
      shares: Dec
      creationHeight: number
      completionTime: string
    }
  | ({ kind: 'cancel-unbonding'; operator: AddressHex; delegator: AddressHex; amount: bigint; creationHeight: number } & Origin)
  | { kind: 'complete-unbonding'; operator: AddressHex; delegator: AddressHex; amount: bigint }
  | { kind: 'complete-redelegation'; source: AddressHex; destination: AddressHex; delegator: AddressHex; amount: bigint }
  /**
   * `consAddress` upper-case hex. `burned` is what the validator's own tokens lost. `infractionHeight`: for double signing the
   * evidence height - 1, for downtime the block height - 2; entries begun at or after it are cut too.
   */
  | {
      kind: 'slash'
      consAddress: string
      reason: string
      power: bigint
      burned: bigint
      infractionHeight: number
    }
  | { kind: 'jail'; consAddress: string }
  | ({ kind: 'unjail'; operator: AddressHex } & Origin)
  | ({ kind: 'validator-power' } & ValidatorUpdate)
  | ({ kind: 'withdraw-rewards'; operator: AddressHex; delegator: AddressHex; amount: bigint } & Origin)
  | ({ kind: 'withdraw-commission'; operator: AddressHex; amount: bigint } & Origin)

export type VoteOption = 'yes' | 'abstain' | 'no' | 'no_with_veto'

/** A parameter as the constants table keeps it: value text, decimals with full digits, durations in nanoseconds. */
export type ConstantChange = { module: string; name: string; value: string }

/** A frozen or expired light client and the one that stands in for it. */
export type ClientRecovery = { clientId: string; substituteId: string }

export type GovEffect =
  | ({
      kind: 'submit-proposal'
      id: number
      proposer: AddressHex
      type: 'param_changed' | 'text' | 'client_update' | 'community_pool_spend'
      title: string
      description: string
      metadata: string
      expedited: boolean
      /** the API's `changes` */
      changes: Json
      /** what becomes of the constants when it passes */
      constants: ConstantChange[]
      /** light clients that take over the state of another one when it passes */
      recoveries?: ClientRecovery[]
      /** what is granted when it passes */
      grants?: GrantTerms[]
      /** of an exported genesis state; `deposit` is what was paid and is no longer listed as a deposit of anybody */
      past?: { createdAt: string; depositEnd: string; deposit: bigint }
    } & Origin)
  | ({ kind: 'deposit'; id: number; depositor: AddressHex; amount: bigint } & Origin)
  /** `period` where an exported genesis state tells it; else the voting begins with the block */
  | { kind: 'activate-proposal'; id: number; period?: { start: string; end: string } }
  | ({ kind: 'vote'; id: number; voter: AddressHex; options: { option: VoteOption; weight: Dec }[] } & Origin)
  /** `tally` of an exported genesis state: the votes behind it are gone */
  | {
      kind: 'end-proposal'
      id: number
      result: 'passed' | 'rejected' | 'failed' | 'expedited-rejected'
      log: string
      tally?: Record<VoteOption, bigint>
    }
  | { kind: 'remove-proposal'; id: number; reason: 'dropped' | 'cancelled' }
  | { kind: 'set-constants'; constants: ConstantChange[] }
  | {
      kind: 'denom-metadata'
      base: string
      description: string
      display: string
      name: string
      symbol: string
      uri: string
      units: { denom: string; exponent: number; aliases: string[] }[]
    }

export type GrantTerms = {
  granter: AddressHex
  grantee: AddressHex
  /** message type URL, authorization type URL, or `fee` */
  authorization: string
  expiration: string | null
  params: Json
  /** absent where nothing limits what is spent, or the kind of limit is not known */
  limit?: GrantLimit
}

export type CoinAmount = { denom: string; amount: string }

/** Remaining spend limit; stored and shown in this form. */
export type GrantLimit = {
  /** null: no limit but that of the period */
  spend_limit: CoinAmount[] | null
  /** of a periodic fee allowance */
  period: {
    seconds: number
    /** what may be spent in every period */
    spend_limit: CoinAmount[]
    can_spend: CoinAmount[]
    /** end of the period */
    reset: string
  } | null
}

export type Spending = { denom: string; amount: bigint }

export type GrantEffect =
  | ({ kind: 'grant' } & GrantTerms & Origin)
  | ({ kind: 'revoke'; granter: AddressHex; grantee: AddressHex; authorization: string } & Origin)
  | ({ kind: 'spend-grant'; granter: AddressHex; grantee: AddressHex; authorization: string; coins: Spending[] } & Origin)

export type VestingEffect = {
  kind: 'vesting'
  address: AddressHex
  type: 'delayed' | 'continuous' | 'permanent' | 'periodic'
  amount: bigint
  startTime: string | null
  endTime: string | null
  periods: { time: string; amount: bigint }[]
} & Origin

export type IbcEffect =
  | ({
      kind: 'ibc-client'
      clientId: string
      type: string
      chainId: string
      creator: AddressHex | null
      latestRevisionNumber: bigint
      latestRevisionHeight: bigint
      frozenRevisionNumber: bigint
      frozenRevisionHeight: bigint
      trustingPeriodNs: bigint
      unbondingPeriodNs: bigint
      maxClockDriftNs: bigint
      trustLevelNumerator: bigint
      trustLevelDenominator: bigint
    } & Origin)
  | ({ kind: 'ibc-client-update'; clientId: string; chainId?: string; revisionNumber: bigint; revisionHeight: bigint } & Origin)
  | ({ kind: 'ibc-client-freeze'; clientId: string; revisionNumber: bigint; revisionHeight: bigint } & Origin)
  /** the counterparty moved to another chain id or unbonding period; its new height comes as an update */
  | ({ kind: 'ibc-client-upgrade'; clientId: string; chainId: string; unbondingPeriodNs: bigint } & Origin)
  /** events name neither the substitute nor, in newer versions, the height */
  | ({
      kind: 'ibc-client-recover'
      clientId: string
      substituteId?: string
      revisionNumber?: bigint
      revisionHeight?: bigint
    } & Origin)
  | ({
      kind: 'ibc-connection'
      connectionId: string
      clientId: string
      counterpartyClientId: string
      counterpartyConnectionId: string
    } & Origin)
  | ({ kind: 'ibc-connection-open'; connectionId: string; counterpartyConnectionId: string } & Origin)
  | ({
      kind: 'ibc-channel'
      channelId: string
      portId: string
      connectionId: string
      counterpartyPortId: string
      counterpartyChannelId: string
      version: string
      ordered: boolean
      creator: AddressHex | null
    } & Origin)
  | ({ kind: 'ibc-channel-open'; channelId: string; portId: string; counterpartyChannelId: string; version?: string } & Origin)
  /** both sides agreed on other terms */
  | ({ kind: 'ibc-channel-upgrade'; channelId: string; portId: string; version: string; ordered: boolean } & Origin)
  | ({ kind: 'ibc-channel-close'; channelId: string; portId: string } & Origin)
  | ({
      kind: 'ibc-transfer'
      direction: 'in' | 'out'
      channelId: string
      portId: string
      connectionId: string
      amount: bigint
      denom: string
      memo: string
      /** account bytes when the party is an account of this chain, else the text */
      sender: AddressHex | null
      senderText: string
      receiver: AddressHex | null
      receiverText: string
      timeout: string | null
      timeoutHeight: bigint
      sequence: bigint
    } & Origin)

/** Hyperlane ids are lower-case hex without 0x, 64 digits. */
export type HyperlaneEffect =
  | ({
      kind: 'hl-mailbox'
      mailbox: string
      owner: AddressHex | null
      defaultIsm: string | null
      defaultHook: string | null
      requiredHook: string | null
      localDomain: number
      /** messages it carried before an exported genesis state */
      past?: { sent: number; received: number }
    } & Origin)
  | ({
      kind: 'hl-mailbox-set'
      mailbox: string
      owner?: AddressHex | null
      defaultIsm?: string
      defaultHook?: string
      requiredHook?: string
    } & Origin)
  | ({
      kind: 'hl-token'
      token: string
      type: 'collateral' | 'synthetic'
      mailbox: string
      denom: string
      owner: AddressHex | null
    } & Origin)
  | ({ kind: 'hl-token-set'; token: string; owner?: AddressHex | null } & Origin)
  | ({
      kind: 'hl-transfer'
      direction: 'send' | 'receive'
      mailbox: string
      token: string
      /** the other chain's domain and party (hex without leading zeros) */
      domain: number
      counterparty: string
      address: AddressHex | null
      relayer: AddressHex | null
      amount: bigint
      denom: string
      version: number
      nonce: number
      body: Uint8Array
      metadata: Uint8Array
      messageId: string
    } & Origin)
  | ({ kind: 'hl-igp'; igp: string; owner: AddressHex | null; denom: string } & Origin)
  | ({ kind: 'hl-igp-set'; igp: string; owner: AddressHex | null } & Origin)
  | ({
      kind: 'hl-igp-config'
      igp: string
      remoteDomain: number
      gasOverhead: bigint
      gasPrice: bigint
      tokenExchangeRate: string
    } & Origin)
  | ({
      kind: 'hl-gas-payment'
      igp: string
      messageId: string
      destination: number
      gasAmount: bigint
      amount: bigint
      denom: string
    } & Origin)

export type SignalEffect =
  | ({ kind: 'signal'; operator: AddressHex; version: number } & Origin)
  | ({ kind: 'try-upgrade'; signer: AddressHex } & Origin)

export type ForwardingEffect =
  | ({
      kind: 'forwarding'
      address: AddressHex
      destDomain: number
      /** lower-case hex, 64 digits */
      destRecipient: string
      token: string
      amount: bigint
      denom: string
      messageId: string
    } & Origin)
  | ({ kind: 'forwarding-address'; address: AddressHex } & Origin)

export type ZkIsmEffect =
  | ({
      kind: 'zkism'
      ism: string
      creator: AddressHex | null
      /** lower-case hex */
      state: string
      merkleTreeAddress: string
      groth16Vkey: string
      stateTransitionVkey: string
      stateMembershipVkey: string
    } & Origin)
  | ({ kind: 'zkism-update'; ism: string; signer: AddressHex | null; state: string } & Origin)
  | ({ kind: 'zkism-messages'; ism: string; signer: AddressHex | null; stateRoot: string; messageIds: string[] } & Origin)

/** A module account: its address row shows the name. */
export type AccountEffect = { kind: 'account-name'; address: AddressHex; name: string }

export type Effect =
  | StakingEffect
  | GovEffect
  | GrantEffect
  | VestingEffect
  | IbcEffect
  | HyperlaneEffect
  | SignalEffect
  | ForwardingEffect
  | ZkIsmEffect
  | AccountEffect

export type EffectKind = Effect['kind']

export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>
