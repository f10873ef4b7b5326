import { randomBytes } from 'node:crypto'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentPayload } from '@x402/core/types'
import { encodeFunctionData, parseAbi } from 'viem'
import { DEPLOYER } from '../../src/pay/local-chain/accounts.ts'
import type { Hex } from '../../src/pay/settings.ts'
import type { Bed } from './bed.ts'

/** Payers that are contracts and judge signatures themselves (ERC-1271), written in the machine's own code. */

const hex = (value: number, bytes: number) => value.toString(16).padStart(bytes * 2, '0')

/** Counts down from `rounds`; each round takes 26 gas. */
function loop(rounds: number, at: number): string {
  const start = at + 4
  return `62${hex(rounds, 3)}5b6001900380${`60${hex(start, 1)}`}5750`
}

/** Returns `1626ba7e`: the signature is good. */
const SAY_YES = '631626ba7e60e01b60005260206000f3'
const SAY_NO = '60006000fd'

/** Says yes after so many rounds of nothing. */
export const slowWallet = (rounds: number): Hex => `0x${loop(rounds, 0)}${SAY_YES}`

/** Says yes where a transaction costs nothing, which is in a simulation without fees, and no on the chain. Slowly, both times. */
export function falseWallet(rounds: number): Hex {
  const head = loop(rounds, 0)
  // GASPRICE ISZERO PUSH1 yes JUMPI
  const yes = head.length / 2 + 5 + SAY_NO.length / 2
  return `0x${head}3a1560${hex(yes, 1)}57${SAY_NO}5b${SAY_YES}`
}

/** Uses up all gas it is given. */
export const GREEDY_WALLET: Hex = '0xfe'

const MINT = parseAbi(['function mint(address to, uint256 value)'])

/** A new address that owns `value` tokens. */
export async function fundedAddress({ chain, rpc }: Bed, value: bigint): Promise<Hex> {
  const address: Hex = `0x${randomBytes(20).toString('hex')}`
  await mint({ chain, rpc }, address, value)
  return address
}

export async function mint({ chain, rpc }: Pick<Bed, 'chain' | 'rpc'>, to: Hex, value: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: MINT, functionName: 'mint', args: [to, value] })
  await rpc('eth_sendTransaction', { from: DEPLOYER, to: chain.token, data })
}

export async function deployWallet(bed: Bed, code: Hex, value: bigint): Promise<Hex> {
  const address = await fundedAddress(bed, value)
  await bed.rpc('anvil_setCode', address, code)
  return address
}

/** A payment by a contract: its signature is whatever the contract takes for one. */
export async function contractPayload(url: string, from: Hex): Promise<PaymentPayload> {
  const offer = decodePaymentRequiredHeader((await fetch(url)).headers.get('payment-required') ?? '')
  const accepted = offer.accepts[0]!
  const authorization = {
    from,
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + 300),
    nonce: `0x${randomBytes(32).toString('hex')}`,
  }
  const signature = `0x${randomBytes(65).toString('hex')}`
  return { x402Version: 2, resource: offer.resource, accepted, payload: { authorization, signature } } as PaymentPayload
}
