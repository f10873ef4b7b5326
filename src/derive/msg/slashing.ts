import { MsgUnjailSchema, MsgUpdateParamsSchema, ParamsSchema } from '../../decode/gen/cosmos/slashing/v1beta1/types_pb.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { handler, type MessageTable } from './handler.ts'
import { updateModuleParams } from './update-params.ts'

export const slashingMessages: MessageTable = {
  '/cosmos.slashing.v1beta1.MsgUnjail': handler(MsgUnjailSchema, (msg) => ({
    signers: [msg.validatorAddr],
    links: [['validator', msg.validatorAddr]],
    validators: [msg.validatorAddr],
    effects: () => {
      const operator = decodeAccount(msg.validatorAddr)
      return operator === undefined ? [] : [{ kind: 'unjail', operator }]
    },
  })),
  '/cosmos.slashing.v1beta1.MsgUpdateParams': updateModuleParams('slashing', MsgUpdateParamsSchema, ParamsSchema),
}
