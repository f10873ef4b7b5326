/**
 * The staking module in small, written from its rules and not from the index: it takes random actions, keeps the state a chain would
 * have and tells of it in events. What the index makes of those events has to be that state, unit for unit.
 */
import { PubKeySchema } from '../../src/decode/gen/cosmos/crypto/ed25519/types_pb.ts'
import { MsgUnjailSchema } from '../../src/decode/gen/cosmos/slashing/v1beta1/types_pb.ts'
import {
  MsgBeginRedelegateSchema,
  MsgCancelUnbondingDelegationSchema,
  MsgCreateValidatorSchema,
  MsgDelegateSchema,
  MsgUndelegateSchema,
} from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import type { AnyMessage } from '../../src/decode/tx.ts'
import type { BlockEvidence, ChainEvent } from '../../src/types/chain.ts'
import {
  aBlock,
  aMessage,
  anAny,
  anEvent,
  aTx,
  aValidator,
  type BuiltTx,
  blockTime,
  moduleText,
  movedCoins,
} from '../builders.ts'
import { burned, redelegationDone, UNBONDING_BLOCKS, unbondingDone } from './staking-blocks.ts'
import { type Account, type Entry, type Move, type Node, ONE, type Operator, round, worth } from './staking-node.ts'

const FRACTION = { double_sign: 2n * 10n ** 16n, missing_signature: 1n * 10n ** 16n } as const
const MAX_ENTRIES = 7

/** Blocks come so fast that events, which tell times in whole seconds, cannot tell them apart. */
const MILLIS_PER_BLOCK = 700
export const UNBONDING_SECONDS = (UNBONDING_BLOCKS * MILLIS_PER_BLOCK) / 1000
const timeAt = (height: number): string => new Date(Date.parse(blockTime(0)) + height * MILLIS_PER_BLOCK).toISOString()
const secondAt = (height: number): string => timeAt(height).replace(/\.\d+Z$/, 'Z')

type Pool = 'bonded' | 'not_bonded'
const poolOf = (node: Node): Pool => (node.bonded ? 'bonded' : 'not_bonded')
const poolText = (pool: Pool) => moduleText(`${pool}_tokens_pool`)
const coin = (amount: bigint) => ({ denom: 'utia', amount: String(amount) })

export class StakingModel {
  readonly nodes: Node[]
  height = 0
  #txs: BuiltTx[] = []
  #begin: ChainEvent[] = []
  #evidence: BlockEvidence[] = []
  /** One place in the queue per message, though messages of one block share an entry and an entry may be taken back. */
  #unbondingQueue: { by: Account; node: Node; ends: number }[] = []
  #redelegationQueue: { by: Account; from: Node; to: Node; ends: number }[] = []

  constructor(operators: { operator: Operator; name: string; stake: bigint }[]) {
    this.nodes = operators.map(({ operator: { ...operator }, name, stake }) => ({
      operator,
      name,
      removed: false,
      past: [],
      tokens: stake,
      shares: stake * ONE,
      jailed: false,
      tombstoned: false,
      bonded: true,
      joined: 0,
      left: null,
      power: stake / 1_000_000n,
      delegations: new Map([[operator, stake * ONE]]),
      unbondings: [],
      redelegations: [],
    }))
  }

  beginBlock(): void {
    this.height++
    this.#txs = []
    this.#begin = []
    this.#evidence = []
  }

  /** A tx that has nothing to do with stakes. */
  include(tx: BuiltTx): void {
    this.#txs.push(tx)
  }

  #send(by: Account, message: AnyMessage, events: ChainEvent[]): void {
    this.#txs.push(aTx({ from: by.text, actions: [{ message, events }] }))
  }

  #add(node: Node, by: Account, amount: bigint): bigint {
    const shares = node.shares === 0n ? amount * ONE : (node.shares * amount) / node.tokens
    node.tokens += amount
    node.shares += shares
    node.delegations.set(by, (node.delegations.get(by) ?? 0n) + shares)
    return shares
  }

  #take(node: Node, by: Account, shares: bigint): bigint {
    const left = node.delegations.get(by)! - shares
    if (by === node.operator && worth(node, left) < 1n) node.jailed = true
    if (left === 0n) node.delegations.delete(by)
    else node.delegations.set(by, left)
    const tokens = node.shares === shares ? node.tokens : worth(node, shares)
    node.tokens -= tokens
    node.shares -= shares
    if (node.shares === 0n && this.#isUnbonded(node)) this.#remove(node)
    return tokens
  }

  /** Unbonding ends with the end of a block. */
  #isUnbonded({ bonded, left }: Node): boolean {
    return !bonded && (left === null || left + UNBONDING_BLOCKS < this.height)
  }

  #remove(node: Node): void {
    node.removed = true
    node.past.push({ name: node.name, jailed: node.jailed })
  }

  /** The operator of a validator that was removed makes another one, with another key. */
  create(node: Node, amount: bigint): void {
    if (!node.removed) return
    const name = `${node.past[0]!.name} ${node.past.length + 1}`
    const { key, consAddress, consText } = aValidator(name)
    Object.assign(node.operator, { key, consAddress, consText })
    const none = { tokens: 0n, shares: 0n, jailed: false, tombstoned: false, bonded: false, left: null, power: 0n }
    Object.assign(node, { name, removed: false, ...none })
    this.#add(node, node.operator, amount)
    const { text, operator } = node.operator
    const message = aMessage(MsgCreateValidatorSchema, {
      description: { moniker: name },
      commission: { rate: '200000000000000000', maxRate: '600000000000000000', maxChangeRate: '10000000000000000' },
      minSelfDelegation: '1',
      validatorAddress: operator,
      pubkey: anAny(PubKeySchema, { key }),
      value: coin(amount),
    })
    this.#send(node.operator, message, [
      ...movedCoins(text, poolText('not_bonded'), `${amount}utia`),
      anEvent('create_validator', { validator: operator, amount: `${amount}utia` }),
    ])
  }

  /** A validator that lost all of its tokens and not its shares takes nothing more. */
  #takesStake(node: Node): boolean {
    return !node.removed && (node.tokens > 0n || node.shares === 0n)
  }

  /** Shares for an amount that somebody wants back; undefined when there are not as many. */
  #sharesFor(node: Node, by: Account, amount: bigint): bigint | undefined {
    const held = node.delegations.get(by)
    if (held === undefined || node.tokens === 0n || amount === 0n) return undefined
    const shares = (node.shares * amount) / node.tokens
    return shares > held ? undefined : shares
  }

  delegate(by: Account, node: Node, amount: bigint): void {
    if (!this.#takesStake(node)) return
    const shares = this.#add(node, by, amount)
    const new_shares = `${shares / ONE}.${String(shares % ONE).padStart(18, '0')}`
    const parties = { delegatorAddress: by.text, validatorAddress: node.operator.operator }
    this.#send(by, aMessage(MsgDelegateSchema, { ...parties, amount: coin(amount) }), [
      ...movedCoins(by.text, poolText(poolOf(node)), `${amount}utia`),
      anEvent('delegate', { validator: node.operator.operator, delegator: by.text, amount: `${amount}utia`, new_shares }),
    ])
  }

  undelegate(by: Account, node: Node, amount: bigint): void {
    const shares = this.#sharesFor(node, by, amount)
    const mine = node.unbondings.filter((entry) => entry.by === by)
    if (shares === undefined || mine.length >= MAX_ENTRIES) return
    const given = this.#take(node, by, shares)
    const twin = mine.find(({ height }) => height === this.height)
    if (twin) {
      twin.initial += given
      twin.balance += given
    } else {
      const ends = this.height + UNBONDING_BLOCKS
      node.unbondings.push({ by, name: node.name, height: this.height, ends, initial: given, balance: given })
    }
    this.#unbondingQueue.push({ by, node, ends: this.height + UNBONDING_BLOCKS })
    const parties = { delegatorAddress: by.text, validatorAddress: node.operator.operator }
    this.#send(by, aMessage(MsgUndelegateSchema, { ...parties, amount: coin(amount) }), [
      ...(node.bonded ? movedCoins(poolText('bonded'), poolText('not_bonded'), `${given}utia`) : []),
      anEvent('unbond', {
        validator: node.operator.operator,
        delegator: by.text,
        amount: `${given}utia`,
        completion_time: secondAt(this.height + UNBONDING_BLOCKS),
      }),
    ])
  }

  /** Stake that was redelegated may not be redelegated again while it can still be slashed. */
  redelegate(by: Account, from: Node, to: Node, amount: bigint): void {
    const receives = this.nodes.some(({ redelegations }) => redelegations.some((move) => move.to === from && move.by === by))
    const shares = this.#sharesFor(from, by, amount)
    if (receives || shares === undefined || from === to || !this.#takesStake(to) || worth(from, shares) === 0n) return
    if (from.redelegations.filter((move) => move.by === by && move.to === to).length >= MAX_ENTRIES) return
    const [fromPool, toPool] = [poolOf(from), poolOf(to)]
    const moved = this.#take(from, by, shares)
    const got = this.#add(to, by, moved)
    // One that is gone with its last stake is treated as one that is in the set.
    const isLeaving = !from.removed && from.left !== null
    const isOver = !from.removed && this.#isUnbonded(from)
    const height = isLeaving ? from.left! : this.height
    const ends = height + UNBONDING_BLOCKS
    if (!isOver) {
      from.redelegations.push({ by, to, height, ends, initial: moved, shares: got })
      this.#redelegationQueue.push({ by, from, to, ends })
    }
    const message = aMessage(MsgBeginRedelegateSchema, {
      delegatorAddress: by.text,
      validatorSrcAddress: from.operator.operator,
      validatorDstAddress: to.operator.operator,
      amount: coin(amount),
    })
    this.#send(by, message, [
      ...(fromPool === toPool ? [] : movedCoins(poolText(fromPool), poolText(toPool), `${moved}utia`)),
      anEvent('redelegate', {
        source_validator: from.operator.operator,
        destination_validator: to.operator.operator,
        amount: `${amount}utia`,
        completion_time: isOver ? '0001-01-01T00:00:00Z' : secondAt(ends),
      }),
    ])
  }

  cancel(by: Account, node: Node, entry: Entry, amount: bigint): void {
    if (node.jailed || !this.#takesStake(node) || entry.ends <= this.height || amount > entry.balance) return
    entry.balance -= amount
    entry.initial -= amount
    if (entry.balance === 0n) node.unbondings.splice(node.unbondings.indexOf(entry), 1)
    this.#add(node, by, amount)
    const parties = { delegatorAddress: by.text, validatorAddress: node.operator.operator }
    const creationHeight = BigInt(entry.height)
    this.#send(by, aMessage(MsgCancelUnbondingDelegationSchema, { ...parties, amount: coin(amount), creationHeight }), [
      ...(node.bonded ? movedCoins(poolText('not_bonded'), poolText('bonded'), `${amount}utia`) : []),
      anEvent('cancel_unbonding_delegation', {
        amount: `${amount}utia`,
        validator: node.operator.operator,
        delegator: by.text,
        creation_height: String(entry.height),
      }),
    ])
  }

  unjail(node: Node): void {
    const own = node.delegations.get(node.operator)
    if (node.removed || !node.jailed || node.tombstoned || own === undefined || worth(node, own) < 1n) return
    node.jailed = false
    this.#send(node.operator, aMessage(MsgUnjailSchema, { validatorAddr: node.operator.operator }), [])
  }

  /** The first and last height at which it could have done wrong and still pays for it; none once it has unbonded. */
  guiltyHeights(node: Node): [first: number, last: number] | undefined {
    const last = node.left ?? this.height - 2
    const isGone = node.removed || node.tombstoned || (node.left !== null && node.left + UNBONDING_BLOCKS <= this.height)
    return isGone || last <= node.joined ? undefined : [node.joined + 1, last]
  }

  /** `since`: the height of the wrong; what left at or after it pays too. */
  slash(node: Node, reason: keyof typeof FRACTION, since: number): void {
    const fraction = FRACTION[reason]
    const cut = (initial: bigint) => (initial * fraction) / ONE
    const burns = { bonded: 0n, not_bonded: 0n }
    const power = node.tokens / 1_000_000n
    let rest = (power * 1_000_000n * fraction) / ONE
    const isOpen = ({ height, ends }: { height: number; ends: number }) => height >= since && ends > this.height
    const payFrom = (entry: Entry, wanted: bigint) => {
      const paid = wanted < entry.balance ? wanted : entry.balance
      entry.balance -= paid
      burns.not_bonded += paid
      return paid
    }
    for (const entry of node.unbondings.filter(isOpen)) {
      rest -= cut(entry.initial)
      payFrom(entry, cut(entry.initial))
    }
    const moves = node.redelegations.filter(isOpen).sort((a, b) => (a.by.hex < b.by.hex ? -1 : a.by.hex > b.by.hex ? 1 : 0))
    for (const move of moves) {
      let open = cut(move.initial)
      rest -= open
      for (const entry of move.to.unbondings.filter((each) => each.by === move.by && isOpen(each))) open -= payFrom(entry, open)
      const shares = round(fraction * move.shares)
      const held = move.to.delegations.get(move.by) ?? 0n
      const taken = shares > held ? held : shares
      if (open === 0n || taken === 0n) continue
      burns[poolOf(move.to)] += this.#take(move.to, move.by, taken)
    }
    const own = rest < 0n ? 0n : rest > node.tokens ? node.tokens : rest
    node.tokens -= own
    node.jailed = true
    node.tombstoned ||= reason === 'double_sign'
    const { consText, consAddress } = node.operator
    for (const pool of ['bonded', 'not_bonded'] as const) if (burns[pool] > 0n) this.#begin.push(...burned(pool, burns[pool]))
    if (own > 0n) this.#begin.push(...burned(poolOf(node), own))
    const facts = { address: consText, power: String(power), reason, burned_coins: String(own) }
    if (reason === 'double_sign') {
      this.#evidence.push({
        kind: 'duplicate_vote',
        validatorAddress: consAddress,
        height: since + 1,
        time: timeAt(since + 1),
      })
      this.#begin.push(anEvent('slash', facts), anEvent('slash', { jailed: consText }))
    } else this.#begin.push(anEvent('slash', { ...facts, jailed: consText }))
  }

  /** The set changes and what is over is paid, as at the end of every block. `first`: what other modules tell before. */
  endBlock(first: ChainEvent[] = []): ReturnType<typeof aBlock> {
    const end: ChainEvent[] = [...first]
    const validatorUpdates: { consAddress: string; power: bigint }[] = []
    for (const node of this.nodes.filter(({ removed }) => !removed)) {
      const power = node.jailed ? 0n : node.tokens / 1_000_000n
      const isIn = power > 0n
      if (isIn !== node.bonded) {
        const [from, to] = isIn ? (['not_bonded', 'bonded'] as const) : (['bonded', 'not_bonded'] as const)
        if (node.tokens > 0n) end.push(...movedCoins(poolText(from), poolText(to), `${node.tokens}utia`))
        node.left = isIn ? null : this.height
        if (isIn) node.joined = this.height
      }
      if (power !== node.power) validatorUpdates.push({ consAddress: node.operator.consAddress, power })
      node.bonded = isIn
      node.power = power
      const isMature = !isIn && node.left !== null && node.left + UNBONDING_BLOCKS <= this.height
      if (isMature && node.shares === 0n) this.#remove(node)
    }
    end.push(...this.#settleUnbondings(), ...this.#settleRedelegations())
    const { height } = this
    return aBlock(height, {
      time: timeAt(height),
      begin: this.#begin,
      txs: this.#txs,
      end,
      evidence: this.#evidence,
      validatorUpdates,
    })
  }

  #isOver = ({ ends }: { ends: number }): boolean => ends <= this.height

  /** Whose turn has come is paid what is over; an entry that is still open then makes an event of nothing. */
  #settleUnbondings(): ChainEvent[] {
    const events: ChainEvent[] = []
    for (const { by, node } of this.#unbondingQueue.filter(this.#isOver)) {
      const mine = node.unbondings.filter((entry) => entry.by === by)
      if (mine.length === 0) continue
      const paid = mine.filter(this.#isOver).reduce((sum, { balance }) => sum + balance, 0n)
      node.unbondings = node.unbondings.filter((entry) => entry.by !== by || !this.#isOver(entry))
      const nothing = anEvent('complete_unbonding', { amount: '', validator: node.operator.operator, delegator: by.text })
      events.push(...(paid === 0n ? [nothing] : unbondingDone(by.text, node.operator.operator, paid)))
    }
    this.#unbondingQueue = this.#unbondingQueue.filter((turn) => !this.#isOver(turn))
    return events
  }

  #settleRedelegations(): ChainEvent[] {
    const events: ChainEvent[] = []
    for (const { by, from, to } of this.#redelegationQueue.filter(this.#isOver)) {
      const isMine = (move: Move) => move.by === by && move.to === to
      const mine = from.redelegations.filter(isMine)
      if (mine.length === 0) continue
      const moved = mine.filter(this.#isOver).reduce((sum, { initial }) => sum + initial, 0n)
      from.redelegations = from.redelegations.filter((move) => !isMine(move) || !this.#isOver(move))
      events.push(redelegationDone(by.text, from.operator.operator, to.operator.operator, moved))
    }
    this.#redelegationQueue = this.#redelegationQueue.filter((turn) => !this.#isOver(turn))
    return events
  }
}
