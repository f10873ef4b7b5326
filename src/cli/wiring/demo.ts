import { existsSync, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config, NetworkConfig } from '../../config/schema.ts'
import { type DemoNode, PRICE_FILE, startDemoNode } from '../../simulation/generated/demo-node.ts'

const folderOf = (data: string) => join(resolve(data), 'demo-chain')

/** Whether `start` has made the demo chain in this data folder. */
export const hasDemo = (data: string): boolean => existsSync(folderOf(data))

/** The chain goes with the index of it. */
export const removeDemo = (data: string): Promise<void> => rm(folderOf(data), { recursive: true, force: true })

export type Demos = {
  /** A network whose chain is generated gets its node and its prices, once no other program uses the data folder; others stay as they are. */
  join: (network: NetworkConfig) => Promise<NetworkConfig>
  close: () => Promise<void>
}

/** The nodes of generated chains; their blocks are kept beside the database. The past of a new chain is made while the database starts. */
export function openDemos(config: Config): Demos {
  const folder = folderOf(config.data)
  const leaving = new AbortController()
  let begin = () => {}
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve
  })
  const start = ({ rpc }: NetworkConfig): Promise<DemoNode> => {
    const { hostname, port } = new URL(rpc![0]!)
    const node = startDemoNode({ folder, host: hostname, port: Number(port) }, { mayBegin, signal: leaving.signal })
    // A failure is thrown to `join`.
    node.catch(() => {})
    return node
  }
  const generated = config.networks.filter((network) => network.generated)
  const nodes = new Map(generated.map((network) => [network.name, start(network)]))
  if (nodes.size > 0 && claim(folder)) begin()
  return {
    join: async (network) => {
      begin()
      const node = await nodes.get(network.name)
      if (!node) return network
      const { price } = network.offchain
      const made = price.url === undefined && price.file === undefined ? { file: join(folder, PRICE_FILE) } : {}
      return { ...network, rpc: [node.url], offchain: { ...network.offchain, price: { ...price, ...made } } }
    },
    close: async () => {
      leaving.abort()
      for (const node of await Promise.allSettled(nodes.values())) if (node.status === 'fulfilled') await node.value.close()
    },
  }
}

/** Makes a folder that was not there: of several programs that try, one can. */
function claim(folder: string): boolean {
  try {
    mkdirSync(dirname(folder), { recursive: true })
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}
