import {
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  isAddressEqual,
  pad,
  parseAbi,
  recoverTypedDataAddress,
  serializeSignature,
  toEventSelector,
  toHex,
} from 'viem'
import { AstrolabeError } from '../../lib/errors.ts'
import { AUTHORIZATION_TYPES } from '../evm/token.ts'
import { DEPLOYER, LOCAL_CHAIN_ID, TOKEN_DECIMALS, TOKEN_NAME, TOKEN_VERSION } from './accounts.ts'

const ABI = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function mint(address to, uint256 value)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')

export type TokenLog = { topics: Hex[]; data: Hex }

/** The contract says no. */
export class Reverted extends AstrolabeError {
  constructor(reason: string) {
    super('reverted', reason)
  }
}

/** Behaviour of payment-token.sol without an EVM, for platforms without the real test chain. */
export class TokenState {
  readonly address: Hex
  readonly #balances = new Map<string, bigint>()
  readonly #used = new Set<string>()
  #supply = 0n

  constructor(address: Hex) {
    this.address = address
  }

  /** Runs a call; with `commit` off nothing changes. */
  async run(sender: Hex, data: Hex, commit: boolean, nowS: number): Promise<{ output: Hex; logs: TokenLog[] }> {
    const { functionName, args } = decode(data)
    switch (functionName) {
      case 'name':
        return view('string', TOKEN_NAME)
      case 'version':
        return view('string', TOKEN_VERSION)
      case 'symbol':
        return view('string', 'USDC')
      case 'decimals':
        return view('uint8', TOKEN_DECIMALS)
      case 'totalSupply':
        return view('uint256', this.#supply)
      case 'balanceOf':
        return view('uint256', this.#balanceOf(args[0]))
      case 'authorizationState':
        return view('bool', this.#used.has(useKey(args[0], args[1])))
      case 'transfer':
        return { output: '0x', logs: [this.#move(sender, args[0], args[1], commit)] }
      case 'mint':
        return this.#mint(sender, args[0], args[1], commit)
      case 'transferWithAuthorization':
        return this.#transferWithAuthorization(args, commit, nowS)
    }
  }

  #mint(sender: Hex, to: Hex, value: bigint, commit: boolean) {
    if (!isAddressEqual(sender, DEPLOYER)) throw new Reverted('only the minter may mint')
    if (commit) {
      this.#supply += value
      this.#balances.set(to.toLowerCase(), this.#balanceOf(to) + value)
    }
    return { output: '0x' as Hex, logs: [transferLog(pad('0x', { size: 20 }), to, value)] }
  }

  async #transferWithAuthorization(args: TransferArgs, commit: boolean, nowS: number) {
    const [from, to, value, validAfter, validBefore, nonce] = args
    if (BigInt(nowS) <= validAfter) throw new Reverted('authorization is not valid yet')
    if (BigInt(nowS) >= validBefore) throw new Reverted('authorization has expired')
    if (this.#used.has(useKey(from, nonce))) throw new Reverted('authorization was used already')
    const signature = args.length === 7 ? args[6] : serializeSignature({ r: args[7], s: args[8], yParity: args[6] - 27 })
    const signer = await recoverTypedDataAddress({
      domain: { name: TOKEN_NAME, version: TOKEN_VERSION, chainId: LOCAL_CHAIN_ID, verifyingContract: this.address },
      types: AUTHORIZATION_TYPES,
      primaryType: 'TransferWithAuthorization',
      message: { from, to, value, validAfter, validBefore, nonce },
      signature,
    }).catch(() => undefined)
    if (!signer || !isAddressEqual(signer, from)) throw new Reverted('signature is not of the payer')
    // The recovery waited: another transaction may have used it meanwhile.
    if (this.#used.has(useKey(from, nonce))) throw new Reverted('authorization was used already')
    const moved = this.#move(from, to, value, commit)
    if (commit) this.#used.add(useKey(from, nonce))
    return { output: '0x' as Hex, logs: [{ topics: [AUTHORIZATION_USED, pad(from), nonce], data: '0x' as Hex }, moved] }
  }

  #move(from: Hex, to: Hex, value: bigint, commit: boolean): TokenLog {
    if (this.#balanceOf(from) < value) throw new Reverted('balance is too low')
    if (commit) {
      this.#balances.set(from.toLowerCase(), this.#balanceOf(from) - value)
      this.#balances.set(to.toLowerCase(), this.#balanceOf(to) + value)
    }
    return transferLog(from, to, value)
  }

  #balanceOf(owner: Hex): bigint {
    return this.#balances.get(owner.toLowerCase()) ?? 0n
  }
}

type Head = readonly [from: Hex, to: Hex, value: bigint, validAfter: bigint, validBefore: bigint, nonce: Hex]
type TransferArgs = readonly [...Head, v: number, r: Hex, s: Hex] | readonly [...Head, signature: Hex]

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: ABI, data })
  } catch {
    // The contract has no fallback.
    throw new Reverted('unknown function')
  }
}

const view = (type: string, value: unknown) => ({ output: encodeAbiParameters([{ type }], [value]), logs: [] })
const useKey = (from: Hex, nonce: Hex) => `${from}:${nonce}`.toLowerCase()

function transferLog(from: Hex, to: Hex, value: bigint): TokenLog {
  return { topics: [TRANSFER, pad(from), pad(to)], data: pad(toHex(value)) }
}
