import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { encodeDeployData, encodeFunctionData, type PublicClient, parseAbi } from 'viem'
import { systemClock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/errors.ts'
import { freePort } from '../../lib/free-port.ts'
import { packagePath } from '../../lib/package-path.ts'
import { openClient } from '../evm/rpc.ts'
import type { Hex } from '../settings.ts'
import { addressAt, DEPLOYER, FUNDING, LOCAL_CHAIN_ID, PAYERS, TOKEN_NAME, TOKEN_VERSION } from './accounts.ts'

export type TestChain = { rpcUrl: string; token: Hex; stop: () => Promise<void> }

const START_TIMEOUT_MS = 15_000

/** The test chain's program, when its package is installed and made for this machine. */
export function findAnvil(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/package.json'))
    const binary = join(folder, 'bin/anvil')
    return existsSync(binary) ? binary : undefined
  } catch {
    // Optional dependency: not installed is an answer.
    return undefined
  }
}

/** A chain in memory that mines every transaction at once, with the token on it and payers that own some. */
export async function startAnvil(binary: string): Promise<TestChain> {
  const { rpcUrl, stop } = await spawnAnvil(binary, [], LOCAL_CHAIN_ID)
  try {
    return { rpcUrl, token: await deployToken(openClient({ url: rpcUrl })), stop }
  } catch (error) {
    await stop()
    throw new OperatorError('local_chain', 'the token of the local payment chain was not deployed', {}, error)
  }
}

/** The bare chain. */
export async function spawnAnvil(binary: string, options: string[], chainId: number): Promise<Omit<TestChain, 'token'>> {
  const port = await freePort()
  const all = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--silent', ...options]
  // The shell ends the chain when our end of its input closes, so that a killed parent leaves no chain behind.
  const watched = '"$@" </dev/null & chain=$!; trap "kill $chain" TERM; read _; kill $chain'
  const child = spawn('/bin/sh', ['-c', watched, 'sh', binary, ...all], { stdio: ['pipe', 'ignore', 'ignore'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.stdin?.end()
    await gone
  }
  const rpcUrl = `http://127.0.0.1:${port}`
  try {
    await waitUntilUp(openClient({ url: rpcUrl }), chainId)
    return { rpcUrl, stop }
  } catch (error) {
    await stop()
    throw new OperatorError('local_chain', 'the local payment chain did not start', {}, error)
  }
}

async function waitUntilUp(client: PublicClient, chainId: number): Promise<void> {
  const end = systemClock.now() + START_TIMEOUT_MS
  for (;;) {
    const id = await client.getChainId().catch(() => undefined)
    if (id === chainId) return
    if (systemClock.now() > end) throw new Error('no answer')
    await systemClock.sleep(50)
  }
}

const TOKEN_ABI = parseAbi(['constructor(string name, string version)', 'function mint(address to, uint256 value)'])

async function deployToken(client: PublicClient): Promise<Hex> {
  const { bytecode } = JSON.parse(readFileSync(packagePath('src/pay/token/payment-token.json'), 'utf8')) as { bytecode: Hex }
  const created = await sendUnlocked(client, {
    data: encodeDeployData({ abi: TOKEN_ABI, bytecode, args: [TOKEN_NAME, TOKEN_VERSION] }),
  })
  const token = created.contractAddress
  if (!token) throw new Error('the token was not deployed')
  for (let i = 0; i < PAYERS; i++)
    await sendUnlocked(client, {
      to: token,
      data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [addressAt(i), FUNDING] }),
    })
  return token
}

/** The chain signs for its own test accounts. */
async function sendUnlocked(client: PublicClient, transaction: { to?: Hex; data: Hex }) {
  const hash: Hex = await client.request({ method: 'eth_sendTransaction', params: [{ from: DEPLOYER, ...transaction }] } as never)
  return client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
}

/** Native coins for a key that pays gas. */
export async function fundGas(rpcUrl: string, address: Hex, wei = 10n ** 20n): Promise<void> {
  await openClient({ url: rpcUrl }).request({ method: 'anvil_setBalance', params: [address, `0x${wei.toString(16)}`] } as never)
}
