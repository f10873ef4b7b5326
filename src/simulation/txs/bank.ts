import { MsgSendSchema } from '../../decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { movedCoins } from './events.ts'
import { aMessage, aTx, type BuiltTx, type TxSpec } from './tx.ts'

/** Coins from one account to another. */
export function aSend(from: string, to: string, amountUtia: bigint, spec: Partial<TxSpec> = {}): BuiltTx {
  const coins = `${amountUtia}utia`
  const message = aMessage(MsgSendSchema, {
    fromAddress: from,
    toAddress: to,
    amount: [{ denom: 'utia', amount: String(amountUtia) }],
  })
  return aTx({ from, actions: [{ message, events: movedCoins(from, to, coins) }], ...spec })
}
