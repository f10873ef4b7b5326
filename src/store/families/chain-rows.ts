import { millisBetween } from '../../lib/time.ts'
import type { State } from '../state/state.ts'
import type { BlockInput, Family } from './family.ts'
import { newValidator, validatorByConsAddress } from './validators.ts'

/** Block, txs, messages and their links: rows that only lack ids when they come from the worker. */
export function createChainRowsFamily(state: State): Family {
  return {
    apply(input) {
      const { block, rows, firstId, addressIds } = input
      const proposer = block.proposer === '' ? null : proposerId(state, input)
      const signerIds = block.signedBy.flatMap((consAddress) => validatorByConsAddress(state, consAddress)?.id ?? [])
      input.signerIds = signerIds
      rows.packedRow('block', block.blockRow, {
        proposer_id: proposer,
        block_time: blockTimeOf(state, input),
        signers: bitmapOf(signerIds),
      })

      block.txs.forEach((tx, position) => {
        const ids = tx.signers.map((index) => addressIds[index]!)
        const txId = firstId + position
        rows.packedRow('tx', tx.row, { signer_ids: ids })
        for (const id of new Set(ids)) rows.row('signer', { address_id: id, tx_id: txId })
      })
      rows.lines('message', block.messageRows)
      rows.lines('unsealed', block.unsealedRows)
      rows.lines('block_txs', block.keptTxsRow)
      rows.lines('tx_hash', block.txHashRows)
      rows.lines('tx_message_type', block.txTypeRows)

      const links = block.addressLinks
      for (let i = 0; i < links.length; i += 4)
        rows.row('message_address', {
          address_id: addressIds[links[i]!]!,
          message_id: firstId + links[i + 1]!,
          role: links[i + 2]!,
          type: links[i + 3]!,
        })
    },
  }
}

/** A proposer that no message created (an exported genesis) gets a row without a description: nothing on chain may stop the index. */
function proposerId(state: State, { block, time, height }: BlockInput): number {
  const known = validatorByConsAddress(state, block.proposer)
  return known ? known.id : state.validator.insert(newValidator(state, block.proposer, { time, height })).id
}

function blockTimeOf(state: State, { block, time }: BlockInput): number {
  const head = state.head.get('true')!
  return block.height === 0 || head.last_time === '' ? 0 : millisBetween(head.last_time, time)
}

/** Bit i = validator i signed the height before; unknown signers have no bit. */
function bitmapOf(signerIds: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (const id of signerIds) {
    while (bytes.length <= id >> 3) bytes.push(0)
    bytes[id >> 3]! |= 1 << (id & 7)
  }
  return Uint8Array.from(bytes)
}
