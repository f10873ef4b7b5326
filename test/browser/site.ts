import type { AddressInfo } from 'node:net'
import { HeadWatch } from '../../src/api/head-watch.ts'
import { buildApi } from '../../src/api/server.ts'
import { openReader } from '../../src/store/db.ts'
import { type PageNetwork, registerPage } from '../../src/web/page.ts'
import { attachWebSocket } from '../../src/ws/attach.ts'
import { SCHEMA } from '../support/templates.ts'

export type Site = { url: string; chainId: string; close: () => Promise<void> }

/** A network with its API, push and page on a port of its own. `networks` is what its switch offers, filled in later. */
export async function serveSite(
  databaseUrl: string,
  network: { name: string; kind: 'main' | 'test' },
  networks: PageNetwork[],
): Promise<Site> {
  const db = openReader({ url: databaseUrl, schema: SCHEMA, max: 4 })
  const watch = new HeadWatch(db, { schema: SCHEMA, listenOn: db })
  await watch.start()
  const chainId = watch.head?.chain_id ?? ''
  const ctx = {
    network: { ...network, chainId },
    db,
    watch,
    head: () => watch.head,
    blocks: { txs: async () => undefined },
    now: () => Date.now(),
  }
  const app = buildApi(ctx, { onError: (error) => console.error(error) })
  attachWebSocket(app, ctx, { limits: { connectionsPerClient: 1000 } })
  registerPage(app, {
    network: network.name,
    networks: () => networks,
    attribution: {
      name: 'Astrolabe',
      url: 'https://astrolabe.example',
      text: 'Free use requires attribution.',
      example: 'Data provided by Astrolabe',
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`
  networks.push({ ...network, chain_id: chainId, url })
  return {
    url,
    chainId,
    close: async () => {
      await app.close()
      await watch.stop()
      await db.end({ timeout: 1 })
    },
  }
}
