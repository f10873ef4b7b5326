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
      rows.lines(
        'block',
        `${block.blockRow}\t${proposer ?? '\\N'}\t${blockTimeOf(state, input)}\t${signerBitmap(state, block.signedBy)}\n`,
        1,
      )

      block.txs.forEach((tx, position) => {
        const ids = tx.signers.map((index) => addressIds[index]!)
        const txId = firstId + position
        rows.lines('tx', `${tx.row}\t{${ids.join(',')}}\n`, 1)
        for (const id of new Set(ids)) rows.lines('signer', `${id}\t${txId}\n`, 1)
      })
      rows.lines('message', block.messageRows, block.messagesCount)
      if (block.txTypeRows !== '') rows.lines('tx_message_type', block.txTypeRows, block.txs.length)

      const links = block.addressLinks
      let text = ''
      for (let i = 0; i < links.length; i += 4)
        text += `${addressIds[links[i]!]}\t${firstId + links[i + 1]!}\t${links[i + 2]}\t${links[i + 3]}\n`
      rows.lines('message_address', text, links.length / 4)
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
function signerBitmap(state: State, signedBy: string[]): string {
  const bytes: number[] = []
  for (const consAddress of signedBy) {
    const id = validatorByConsAddress(state, consAddress)?.id
    if (id === undefined) continue
    while (bytes.length <= id >> 3) bytes.push(0)
    bytes[id >> 3]! |= 1 << (id & 7)
  }
  return `\\\\x${Buffer.from(bytes).toString('hex')}`
}
