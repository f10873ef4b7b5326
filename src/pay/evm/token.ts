import { encodeFunctionData, pad, parseAbi, parseSignature, toEventSelector, toFunctionSelector, toHex } from 'viem'
import type { Hex } from '../settings.ts'

/** The parts of ERC-20 and EIP-3009 that payments use. */
export const TOKEN_ABI = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
])

const SPLIT_ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
const BYTES_ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])

/** A signed permission to move tokens once (EIP-3009). Times are unix seconds. */
export type Authorization = {
  from: Hex
  to: Hex
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
  /** the payer is a contract that judges its signature itself */
  byContract: boolean
}

/** Largest amount that the token can hold. */
export const MAX_UINT256 = 2n ** 256n - 1n

/** Year 9999: PostgreSQL's timestamps end, an authorization without end does not. */
const LAST_SECOND = 253_402_300_799n

/** The end of an authorization as a number of seconds. */
export const toSeconds = (validBefore: bigint): number => Number(validBefore < LAST_SECOND ? validBefore : LAST_SECOND)

export const AUTHORIZATION_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

export function encodeTransfer(auth: Authorization): Hex {
  const { from, to, value, validAfter, validBefore, nonce, signature } = auth
  const head = [from, to, value, validAfter, validBefore, nonce] as const
  if (auth.byContract)
    return encodeFunctionData({ abi: BYTES_ABI, functionName: 'transferWithAuthorization', args: [...head, signature] })
  const { r, s, yParity } = parseSignature(signature)
  return encodeFunctionData({ abi: SPLIT_ABI, functionName: 'transferWithAuthorization', args: [...head, 27 + yParity, r, s] })
}

const FOR_CONTRACTS = toFunctionSelector(BYTES_ABI[0])

/** Whether a transaction leaves the signature to a contract that is the payer. */
export const isForContract = (input: Hex): boolean => input.startsWith(FOR_CONTRACTS)

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')

/** `nonce`: of the authorization, where there is one */
export type ExpectedTransfer = { token: Hex; from: Hex; to: Hex; value: bigint; nonce?: Hex | undefined }

type RawLog = { address: string; topics: readonly string[]; data: string }

/** Whether the logs of a receipt hold exactly this movement of money. */
export function hasTransfer(logs: readonly RawLog[], { token, from, to, value }: ExpectedTransfer): boolean {
  return logs.some(
    (log) =>
      log.address.toLowerCase() === token.toLowerCase() &&
      log.topics[0] === TRANSFER &&
      log.topics[1]?.toLowerCase() === pad(from).toLowerCase() &&
      log.topics[2]?.toLowerCase() === pad(to).toLowerCase() &&
      BigInt(log.data) === BigInt(toHex(value)),
  )
}

/** Whether the logs show that the authorization was used: transfers of one payer and price look all the same. */
export function hasUse(logs: readonly RawLog[], { token, from, nonce }: ExpectedTransfer): boolean {
  return logs.some(
    (log) =>
      log.address.toLowerCase() === token.toLowerCase() &&
      log.topics[0] === AUTHORIZATION_USED &&
      log.topics[1]?.toLowerCase() === pad(from).toLowerCase() &&
      log.topics[2]?.toLowerCase() === nonce?.toLowerCase(),
  )
}
