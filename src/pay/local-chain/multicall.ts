import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MULTICALL3 } from '../evm/multicall.ts'
import { openClient } from '../evm/rpc.ts'
import type { Hex } from '../settings.ts'
import { DEPLOYER } from './accounts.ts'

/** Puts the contract that makes many calls in one transaction where every public chain has it. Needs anvil. */
export async function installMulticall(rpcUrl: string): Promise<void> {
  const client = openClient({ url: rpcUrl })
  const rpc = <T>(method: string, ...params: unknown[]) => client.request({ method, params } as never) as Promise<T>
  const folder = dirname(createRequire(import.meta.url).resolve('viem/package.json'))
  const { multicall3Bytecode } = (await import(pathToFileURL(join(folder, '_esm/constants/contracts.js')).href)) as {
    multicall3Bytecode: Hex
  }
  const hash = await rpc<Hex>('eth_sendTransaction', { from: DEPLOYER, data: multicall3Bytecode })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  if (!contractAddress) throw new Error('the contract was not created')
  await rpc('anvil_setCode', MULTICALL3, await rpc('eth_getCode', contractAddress, 'latest'))
}
