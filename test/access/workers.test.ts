import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { WsClient } from '../live/ws-client.ts'
import { freshDatabase } from '../support/database.ts'
import { runCli } from '../support/program.ts'

describe('two workers of one server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-workers-'))
  let server: ReturnType<typeof runCli>
  let api: string
  let health: string
  before(async () => {
    const config = join(folder, 'config.json')
    const main = { name: 'main', kind: 'main', recording: packagePath('data/recordings/devnet'), listen: { port: 0 } }
    writeFileSync(config, JSON.stringify({ networks: [main], observability: { port: 0 } }))
    server = runCli(['serve', '--workers', '2', '--config', config], {
      env: { DATABASE_URL: await freshDatabase('devnet'), ASTROLABE_DATA: folder },
    })
    const said = await server.says(/("msg":"serving"\}\s.*){2}/s)
    api = /"address":"http:\/\/([^"]+)","msg":"serving"/.exec(said)![1]!
    health = /"address":"([^"]+)","msg":"health and metrics"/.exec(said)![1]!
  })
  after(async () => {
    server.child.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
    await rm(folder, { recursive: true, force: true })
  })

  const open = async (count: number): Promise<WsClient[]> => {
    const all = Array.from({ length: count }, () => new WsClient(`ws://${api}/v1/ws`))
    const opened = await Promise.all(
      all.map((client) => Promise.race([once(client.socket, 'open').then(() => true), client.closed.then(() => false)])),
    )
    return all.filter((_, i) => opened[i])
  }

  const scrape = async (name: string): Promise<number> => {
    const text = await (await fetch(`${health}/metrics`)).text()
    return Number(new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (.+)$`, 'm').exec(text)?.[1])
  }
  const sockets = () => scrape('idx_ws_connections{network="main",kind="socket"}')

  test('let ten connections of an address in together, and count them as one', async () => {
    const clients = await open(60)
    assert.equal(clients.length, 10)
    assert.equal(await sockets(), 10)
    for (const client of clients) await client.close()
    while ((await sockets()) !== 0);
    const again = await open(12)
    assert.equal(again.length, 10, 'places are free again')
    for (const client of again) await client.close()
  })

  test('count wrong keys of an address together', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 12; i++)
      statuses.push(
        (await fetch(`http://${api}/v1/head`, { headers: { apikey: `astro_wrong_${i}`, connection: 'close' } })).status,
      )
    const refused = statuses.filter((status) => status === 401).length
    // One may be answered before the other worker's word arrives.
    assert.ok(refused >= 5 && refused <= 7, statuses.join(' '))
    assert.equal(statuses.at(-1), 429)
  })

  test('show health and the counts of both on one port', async () => {
    assert.equal((await fetch(`${health}/readyz`)).status, 200)
    for (let i = 0; i < 20; i++)
      assert.equal((await fetch(`http://${api}/v1/head`, { headers: { connection: 'close' } })).status, 200)
    const route = 'network="main",method="GET",route="/v1/head",status="200"'
    assert.equal(await scrape(`idx_http_request_duration_seconds_count{${route}}`), 20)
    assert.equal(await scrape('idx_head_height{network="main"}'), 403)
    assert.equal(await scrape('idx_limits_shared'), 1)
  })
})
