import { rename, writeFile } from 'node:fs/promises'
import type { Addresses } from '../terminal/welcome.ts'
import type { NetworkApi } from './network-api.ts'
import { lastRecordedHeight } from './source.ts'

/** Writes all addresses once the last recorded height of every network is served. It appears complete or not at all: scripts wait for it. */
export async function announceReady(path: string, addresses: Addresses, apis: readonly NetworkApi[]): Promise<void> {
  await Promise.all(apis.map(untilServed))
  await writeFile(`${path}.part`, `${JSON.stringify(addresses, null, 1)}\n`)
  await rename(`${path}.part`, path)
}

async function untilServed({ network, ctx }: NetworkApi): Promise<void> {
  const last = await lastRecordedHeight(network)
  const isServed = () => last === undefined || (ctx.head()?.last_height ?? -1) >= last
  await new Promise<void>((resolve) => {
    const stop = ctx.watch.onChange(() => check())
    const check = () => {
      if (!isServed()) return
      stop()
      resolve()
    }
    check()
  })
}
