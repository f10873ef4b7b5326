import { charge } from 'mppx/evm/server'
import { getAddress, keccak256, stringToBytes } from 'viem'
import { Invariant } from '../../lib/errors.ts'
import { checkTimes } from '../evm/settler.ts'
import { isSignedByPayer } from '../evm/signature.ts'
import { refuse } from '../problem.ts'
import type { EvmSettings, Hex, PaySettings } from '../settings.ts'

type Issued = { id: string; realm: string; request: { recipient: string; amount: string } }
type Payload = { from: Hex; to: Hex; value: string; validAfter: string; validBefore: string; nonce: Hex; signature: Hex }

/** The method `evm` of the protocol's library, with our own judgement of the authorization. */
export function createEvmMethod({ evm, recipient }: PaySettings) {
  const { chainId, token, tokenName, tokenVersion, decimals } = evm!
  const method = charge({
    authorization: { name: tokenName, version: tokenVersion },
    chainId,
    currency: token,
    decimals,
    recipient,
    // Settling is ours: the lookup runs between verification and the transfer, and the ledger knows both.
    settle: () => Promise.reject(new Invariant('settled_elsewhere', 'mppx was asked to settle')),
  })
  const validate: NonNullable<typeof method.validate> = async ({ credential }) => {
    const { challenge, source } = credential
    const payload = credential.payload as Payload
    await checkAuthorization(evm!, challenge as Issued, payload, source)
    const details = { payer: getAddress(payload.from) }
    return { challenge, credential, details, intent: 'charge', method: 'evm', request: challenge.request, source }
  }
  return { ...method, validate }
}

async function checkAuthorization(
  evm: EvmSettings,
  challenge: Issued,
  payload: Payload,
  source: string | undefined,
): Promise<void> {
  const { recipient, amount } = challenge.request
  if (payload.to.toLowerCase() !== recipient.toLowerCase()) throw refuse('recipient_mismatch')
  if (payload.value !== amount) throw refuse('amount_mismatch')
  if (!noncesOf(challenge).includes(payload.nonce.toLowerCase() as Hex)) throw refuse('nonce_mismatch')
  if (source !== undefined && source.toLowerCase() !== `did:pkh:eip155:${evm.chainId}:${payload.from}`.toLowerCase())
    throw refuse('source_mismatch')
  const { from, to, nonce, signature } = payload
  const numbers = {
    value: BigInt(payload.value),
    validAfter: BigInt(payload.validAfter),
    validBefore: BigInt(payload.validBefore),
  }
  checkTimes(numbers, Math.floor(Date.now() / 1000))
  if (!(await isSignedByPayer(evm, { from, to, nonce, signature, ...numbers }))) throw refuse('invalid_signature')
}

/**
 * The nonce binds an authorization to its challenge. Clients hash id and realm in two ways: one after the other (mppx up to 0.11), or as
 * a list in JSON (later ones, and the Python client).
 */
export function noncesOf({ id, realm }: Pick<Issued, 'id' | 'realm'>): Hex[] {
  return [`${id}${realm}`, JSON.stringify([id, realm])].map((text) => keccak256(stringToBytes(text)))
}
