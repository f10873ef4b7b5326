import type { DescMessage, Message, MessageShape } from '@bufbuild/protobuf'
import type { AddressRole } from '../../types/address-role.ts'
import type { ConstantChange } from '../../types/effects.ts'
import { constantsOfMessage, keepKnown } from '../constants.ts'
import { handler, type MessageHandler } from './handler.ts'

type Authority = { role: AddressRole; address: string }

/**
 * Module parameters are replaced as a whole. The message runs inside a passed proposal, whose constants the proposal keeps;
 * only where a chain lets an account be the authority does it come in a tx.
 */
export function updateParams<S extends DescMessage>(
  schema: S,
  listParams: (msg: MessageShape<S>) => ConstantChange[],
  authorityOf: (msg: MessageShape<S>) => Authority,
): MessageHandler {
  return handler(schema, (msg) => {
    const params = listParams(msg)
    const { role, address } = authorityOf(msg)
    return {
      signers: [address],
      links: [[role, address]],
      params,
      effects: () => {
        const constants = keepKnown(params)
        return constants.length === 0 ? [] : [{ kind: 'set-constants', constants }]
      },
    }
  })
}

type ModuleParams = Message & { authority: string; params?: Message | undefined }

/** The usual form: `authority` and one `params` message. */
export function updateModuleParams<S extends DescMessage>(
  module: string,
  schema: S & (MessageShape<S> extends ModuleParams ? unknown : never),
  paramsSchema: DescMessage,
): MessageHandler {
  return updateParams(
    schema as S,
    (msg) => constantsOfMessage(module, paramsSchema, (msg as unknown as ModuleParams).params),
    (msg) => ({ role: 'authority', address: (msg as unknown as ModuleParams).authority }),
  )
}

type SignedParams = Message & { signer: string; params?: Message | undefined }

/** IBC modules call the authority `signer`. */
export function updateIbcParams<S extends DescMessage>(
  module: string,
  schema: S & (MessageShape<S> extends SignedParams ? unknown : never),
  paramsSchema: DescMessage,
): MessageHandler {
  return updateParams(
    schema as S,
    (msg) => constantsOfMessage(module, paramsSchema, (msg as unknown as SignedParams).params),
    (msg) => ({ role: 'signer', address: (msg as unknown as SignedParams).signer }),
  )
}
