import { recoverTypedDataAddress } from 'viem'
import type { EvmSettings, Hex } from '../settings.ts'
import { AUTHORIZATION_TYPES, type Authorization } from './token.ts'

type Signed = Omit<Authorization, 'byContract'>

/** Whose key signed an authorization, without asking a node; undefined when it is no signature of a key at all. */
async function recoverPayer(evm: EvmSettings, { signature, ...message }: Signed): Promise<Hex | undefined> {
  const { token, tokenName, tokenVersion, chainId } = evm
  const signer = await recoverTypedDataAddress({
    domain: { name: tokenName, version: tokenVersion, chainId, verifyingContract: token },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
    signature,
  }).catch(() => undefined)
  return signer?.toLowerCase() as Hex | undefined
}

/** Whether the payer's own key has signed. */
export async function isSignedByPayer(evm: EvmSettings, auth: Signed): Promise<boolean> {
  return (await recoverPayer(evm, auth)) === auth.from.toLowerCase()
}
