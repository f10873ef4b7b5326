import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config, NetworkConfig } from '../config/schema.ts'
import { type DemoNode, startDemoNode } from '../simulation/generated/demo-node.ts'

const folderOf = (data: string) => join(resolve(data), 'demo-chain')

/** Whether `start` has made the demo chain in this data folder: without settings other commands then mean the networks of the demo. */
export const hasDemo = (data: string): boolean => existsSync(folderOf(data))

/** The chain goes with the index of it. */
export const removeDemo = (data: string): Promise<void> => rm(folderOf(data), { recursive: true, force: true })

/** The node of a generated chain; its blocks are kept beside the database. */
export function openDemo(config: Config, network: NetworkConfig): Promise<DemoNode> {
  const { hostname, port } = new URL(network.rpc![0]!)
  return startDemoNode({ folder: folderOf(config.data), host: hostname, port: Number(port) })
}
