import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeFunctionData, type Hex, keccak256, parseAbi, parseTransaction, recoverTransactionAddress, toHex } from 'viem'
import { AstrolabeError } from '../../lib/errors.ts'
import { addressAt, DEPLOYER, FUNDING, LOCAL_CHAIN_ID, PAYERS } from './accounts.ts'
import type { TestChain } from './anvil.ts'
import { Reverted, type TokenLog, TokenState } from './token-state.ts'

/** Where the first contract of the deployer would be, as on the real test chain. */
const TOKEN: Hex = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const GAS_USED = 70_000n
const BASE_FEE = 1_000_000_000n
const MAX_BODY_BYTES = 256 * 1024

class RpcError extends AstrolabeError {
  readonly rpcCode: number
  constructor(rpcCode: number, message: string) {
    super('rpc_error', message)
    this.rpcCode = rpcCode
  }
}

type Mined = {
  hash: Hex
  from: Hex
  to: Hex | null
  nonce: number
  gas: bigint
  input: Hex
  block: bigint
  ok: boolean
  logs: TokenLog[]
}
type Params = Record<string, never>[] & string[]

/**
 * A chain in this process that knows plain transfers and the payment token: what the demonstration needs on computers that the real
 * test chain is not made for. One transaction, one block.
 */
class JsChain {
  readonly #token = new TokenState(TOKEN)
  readonly #native = new Map<string, bigint>()
  readonly #counts = new Map<string, number>()
  readonly #mined = new Map<string, Mined>()
  readonly #waiting = new Map<string, Hex>()
  #height = 0n
  #queue: Promise<unknown> = Promise.resolve()

  async fund(): Promise<void> {
    const abi = parseAbi(['function mint(address to, uint256 value)'])
    for (let i = 0; i < PAYERS; i++)
      await this.#token.run(
        DEPLOYER,
        encodeFunctionData({ abi, functionName: 'mint', args: [addressAt(i), FUNDING] }),
        true,
        nowS(),
      )
  }

  async call(method: string, params: Params): Promise<unknown> {
    switch (method) {
      case 'eth_chainId':
        return toHex(LOCAL_CHAIN_ID)
      case 'net_version':
        return String(LOCAL_CHAIN_ID)
      case 'eth_blockNumber':
        return toHex(this.#height)
      case 'eth_gasPrice':
        return toHex(2n * BASE_FEE)
      case 'eth_maxPriorityFeePerGas':
        return toHex(BASE_FEE)
      case 'eth_getBalance':
        return toHex(this.#native.get(lower(params[0])) ?? 0n)
      case 'eth_getTransactionCount':
        return toHex(this.#counts.get(lower(params[0])) ?? 0)
      case 'eth_getCode':
        return lower(params[0]) === TOKEN ? '0x00' : '0x'
      case 'eth_getBlockByNumber':
        return this.#describeBlock()
      case 'eth_call':
        return (await this.#simulate(params[0] as never)).output
      case 'eth_estimateGas':
        await this.#simulate(params[0] as never)
        return toHex(GAS_USED)
      case 'eth_sendRawTransaction':
        return this.#inOrder(() => this.#mine(params[0] as Hex))
      case 'eth_getTransactionReceipt':
        return this.#describeReceipt(this.#mined.get(lower(params[0])))
      case 'eth_getTransactionByHash':
        return this.#describeTransaction(this.#mined.get(lower(params[0])))
      case 'eth_getLogs':
        return this.#findLogs(params[0] as never)
      case 'anvil_setBalance':
        this.#native.set(lower(params[0]), BigInt(params[1] as never))
        return null
      default:
        throw new RpcError(-32601, `method ${method} is not known here`)
    }
  }

  /** Transactions change the state one after the other. */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => {})
    return done
  }

  async #simulate({ from, to, data, input }: { from?: Hex; to?: Hex; data?: Hex; input?: Hex }) {
    if (to === undefined || lower(to) !== TOKEN) return { output: '0x' as Hex, logs: [] }
    try {
      return await this.#token.run(from ?? DEPLOYER, data ?? input ?? '0x', false, nowS())
    } catch (error) {
      if (error instanceof Reverted) throw new RpcError(3, `execution reverted: ${error.message}`)
      throw error
    }
  }

  async #mine(raw: Hex): Promise<Hex> {
    const hash = keccak256(raw)
    if (this.#mined.has(hash)) throw new RpcError(-32000, 'already known')
    const { to = null, nonce = 0, gas = 21_000n, data = '0x', maxFeePerGas = 0n, value = 0n } = parseTransaction(raw)
    const from = lower(await recoverTransactionAddress({ serializedTransaction: raw as never })) as Hex
    const count = this.#counts.get(from) ?? 0
    const balance = this.#native.get(from) ?? 0n
    if (nonce < count) throw new RpcError(-32003, 'nonce too low')
    if (nonce > count) {
      this.#waiting.set(`${from}:${nonce}`, raw)
      return hash
    }
    if (balance < gas * maxFeePerGas + value) throw new RpcError(-32003, 'insufficient funds for gas * price + value')
    const { ok, logs } = await this.#execute(from, to, data)
    this.#counts.set(from, count + 1)
    this.#native.set(from, balance - GAS_USED * 2n * BASE_FEE - (ok ? value : 0n))
    this.#mined.set(hash, { hash, from, to: to as Hex | null, nonce, gas, input: data, block: ++this.#height, ok, logs })
    await this.#mineNext(from, nonce + 1)
    return hash
  }

  /** A transaction that came before the one it follows. */
  async #mineNext(from: Hex, nonce: number): Promise<void> {
    const key = `${from}:${nonce}`
    const raw = this.#waiting.get(key)
    if (!raw || !this.#waiting.delete(key)) return
    // Refused for want of gas: it is dropped, as a node drops it.
    await this.#mine(raw).catch(() => {})
  }

  async #execute(from: Hex, to: string | null, data: Hex): Promise<{ ok: boolean; logs: TokenLog[] }> {
    if (to === null || lower(to) !== TOKEN) return { ok: true, logs: [] }
    try {
      return { ok: true, logs: (await this.#token.run(from, data, true, nowS())).logs }
    } catch (error) {
      if (error instanceof Reverted) return { ok: false, logs: [] }
      throw error
    }
  }

  #describeBlock() {
    const zero = toHex(0n, { size: 32 })
    return {
      number: toHex(this.#height),
      hash: blockHash(this.#height),
      parentHash: zero,
      timestamp: toHex(nowS()),
      baseFeePerGas: toHex(BASE_FEE),
      gasLimit: toHex(30_000_000),
      gasUsed: toHex(GAS_USED),
      transactions: [],
    }
  }

  #describeReceipt(tx: Mined | undefined) {
    if (!tx) return null
    return {
      transactionHash: tx.hash,
      transactionIndex: '0x0',
      blockNumber: toHex(tx.block),
      blockHash: blockHash(tx.block),
      from: tx.from,
      to: tx.to,
      contractAddress: null,
      status: tx.ok ? '0x1' : '0x0',
      type: '0x2',
      gasUsed: toHex(GAS_USED),
      cumulativeGasUsed: toHex(GAS_USED),
      effectiveGasPrice: toHex(2n * BASE_FEE),
      logsBloom: '0x',
      logs: describeLogs(tx),
    }
  }

  #describeTransaction(tx: Mined | undefined) {
    if (!tx) return null
    const { hash, from, to, input } = tx
    const place = { blockNumber: toHex(tx.block), blockHash: blockHash(tx.block), transactionIndex: '0x0' }
    return {
      hash,
      from,
      to,
      input,
      nonce: toHex(tx.nonce),
      gas: toHex(tx.gas),
      value: '0x0',
      type: '0x2',
      chainId: toHex(LOCAL_CHAIN_ID),
      ...place,
    }
  }

  #findLogs({ topics = [] }: { topics?: (Hex | null)[] }) {
    const fits = (log: { topics: Hex[] }) =>
      topics.every((topic, i) => topic === null || lower(topic) === lower(log.topics[i] ?? ''))
    return [...this.#mined.values()].flatMap(describeLogs).filter(fits)
  }
}

function describeLogs(tx: Mined) {
  return tx.logs.map(({ topics, data }, i) => ({
    address: TOKEN,
    topics,
    data,
    logIndex: toHex(i),
    blockNumber: toHex(tx.block),
    blockHash: blockHash(tx.block),
    transactionHash: tx.hash,
    transactionIndex: '0x0',
    removed: false,
  }))
}

const blockHash = (height: bigint): Hex => keccak256(toHex(height, { size: 32 }))
const lower = (text: unknown): string => String(text).toLowerCase()
const nowS = (): number => Math.floor(Date.now() / 1000)

export async function startJsChain(port = 0): Promise<TestChain> {
  const chain = new JsChain()
  await chain.fund()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
      if (text.length > MAX_BODY_BYTES) request.destroy()
    })
    request.on('end', async () => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(await answer(chain, text)))
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: TOKEN, stop }
}

async function answer(chain: JsChain, text: string): Promise<unknown> {
  let id: unknown = null
  try {
    const call = JSON.parse(text) as { id: unknown; method: string; params?: Params }
    id = call.id
    return { jsonrpc: '2.0', id, result: await chain.call(call.method, call.params ?? ([] as unknown as Params)) }
  } catch (error) {
    const code = error instanceof RpcError ? error.rpcCode : -32603
    return { jsonrpc: '2.0', id, error: { code, message: (error as Error).message } }
  }
}
