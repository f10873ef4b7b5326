import type { Genesis, GenesisTx } from '../../decode/genesis.ts'
import { moduleAccount } from '../../lib/encoding/bech32.ts'
import { sanitizeText } from '../../lib/encoding/bytes.ts'
import type { Effect } from '../../types/effects.ts'
import type { TxFacts } from '../../types/facts.ts'
import { MSG_UNKNOWN, messageTypeOf } from '../../types/message-type.ts'
import type { BlockFold } from '../fold.ts'
import { LinkCollector, listEffects, MessageReader, visitMessages } from '../messages.ts'
import { listSigners } from '../signers.ts'

type CreateValidator = Extract<Effect, { kind: 'create-validator' }>

const NO_EVENTS = { code: 0, codespace: '', gasWanted: 0n, gasUsed: 0n, log: '', events: [], signers: [] }

/** Txs of the document make the first validators. They run without events, so the coins they move are counted here. */
export function deriveGenesisTxs(genesis: Genesis, time: string, fold: BlockFold): TxFacts[] {
  const created: CreateValidator[] = []
  const txs = genesis.txs.map((tx, position) => deriveGenesisTx(tx, position, genesis.initialHeight - 1, time, fold, created))
  fold.emit(bondValidators(created, genesis, fold))
  return txs
}

function deriveGenesisTx(
  tx: GenesisTx,
  position: number,
  height: number,
  time: string,
  fold: BlockFold,
  created: CreateValidator[],
): TxFacts {
  const reader = new MessageReader(true)
  const messages = tx.messages.map((message) => reader.read(message))
  const content = { ...tx, hash: '', size: 0, kind: 'plain' as const, blobs: [] }
  const signers = listSigners(
    content,
    messages.map(({ part }) => part),
    NO_EVENTS,
  )
  for (const signer of signers) fold.addresses.add(signer)

  const types = new Set<number>()
  for (const [i, message] of messages.entries()) {
    const collector = new LinkCollector()
    visitMessages(
      message,
      () => [],
      ({ typeUrl, part }) => (part ? collector.add(part) : fold.countUnknown(typeUrl)),
    )
    for (const [address] of collector.links) fold.addresses.add(address)
    const type = message.part ? messageTypeOf(message.typeUrl) : MSG_UNKNOWN
    types.add(type)
    fold.messages.push({
      tx: position,
      position: i,
      type,
      typeUrl: sanitizeText(message.typeUrl),
      value: tx.messages[i]!.value,
      links: collector.links,
      validators: collector.listValidators(),
      namespaces: [],
    })
    const effects = listEffects(message, [], { height, time, evidenceHeight: () => undefined }, reader)
    fold.emit(effects, position, fold.messages.length - 1)
    for (const effect of effects) if (effect.kind === 'create-validator') created.push(effect)
  }
  payFee(tx, signers[0], position, fold)
  return {
    position,
    hash: '',
    gasWanted: 0n,
    gasUsed: 0n,
    feeUtia: 0n,
    feeOther: '',
    timeoutHeight: tx.timeoutHeight,
    memo: tx.memo,
    success: true,
    code: 0,
    codespace: '',
    error: '',
    messageTypes: [...types].sort((a, b) => a - b),
    messagesCount: messages.length,
    signers,
    events: [],
    blobs: [],
  }
}

/** The fee is taken without any event and no statistic counts it; without it the fee collector would sink below zero. */
function payFee(tx: GenesisTx, payer: string | undefined, position: number, { ledger }: BlockFold): void {
  if (payer === undefined) return
  for (const { denom, amount } of tx.fee.coins) {
    ledger.add(payer, denom, -amount, 'fee', position)
    ledger.add(moduleAccount('fee_collector'), denom, amount, 'fee')
  }
}

const UTIA_PER_POWER = 1_000_000n

/** The chain bonds the largest powers at once, the lower address first among equals; the tokens of the others wait in the other pool. */
function bondValidators(created: readonly CreateValidator[], { params }: Genesis, { ledger }: BlockFold): Effect[] {
  const maxValidators = Number(params.find(({ module }) => module === 'staking')?.values.max_validators ?? created.length)
  const powerOf = ({ amount }: CreateValidator) => amount / UTIA_PER_POWER
  const ranked = [...created].sort((a, b) =>
    powerOf(a) === powerOf(b) ? (a.operator < b.operator ? -1 : 1) : powerOf(a) < powerOf(b) ? 1 : -1,
  )
  return ranked.map((validator, rank): Effect => {
    const { delegator, amount, consAddress, publicKey } = validator
    const power = rank < maxValidators ? powerOf(validator) : 0n
    ledger.add(delegator, 'utia', -amount, 'delegation', validator.tx)
    ledger.add(moduleAccount(power > 0n ? 'bonded_tokens_pool' : 'not_bonded_tokens_pool'), 'utia', amount, 'delegation')
    return { kind: 'validator-power', consAddress, publicKey, power }
  })
}
