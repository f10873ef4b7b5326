import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { demoNetworks } from '../../src/config/load.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { visitDemo } from '../browser/demo-visit.ts'
import { writeConfig } from '../support/config-file.ts'
import { freshDatabase } from '../support/database.ts'
import { makeFolder, type Program, runCli } from '../support/program.ts'

const folder = makeFolder()
/** The demo's own network as without settings, but on free ports. */
const [demo] = demoNetworks()
const config = writeConfig(folder, { networks: [{ ...demo, rpc: ['http://127.0.0.1:0'], listen: { port: 0 } }] })
const settings = freshDatabase().then((url) => ['--config', config, '--data', join(folder, 'data'), '--database', url])
const ready = join(folder, 'ready.json')

type Head = { name: string; chain_id: string; last_height: number; total_proposals: number; total_blobs_size: number }
type Ready = { networks: Record<string, { api: string; page: string }> }

async function start(): Promise<{ cli: Program; text: string; networks: Ready['networks'] }> {
  rmSync(ready, { force: true })
  const cli = runCli(['start', ...(await settings), '--no-paid', '--ready-file', ready])
  const text = await cli.says(/Ctrl-C stops it/)
  while (!existsSync(ready)) await systemClock.sleep(20)
  return { cli, text, ...(JSON.parse(readFileSync(ready, 'utf8')) as Ready) }
}

async function stop(cli: Program): Promise<void> {
  cli.pressCtrlC()
  const { code, text } = await cli.ended
  assert.equal(code, 0, text)
}

const get = async <T>(url: string): Promise<T> => (await fetch(url)).json() as Promise<T>

async function waitAbove(api: string, height: number): Promise<Head> {
  for (;;) {
    const head = await get<Head>(`${api}/head`)
    if (head.last_height > height) return head
    await systemClock.sleep(50)
  }
}

let stopped: Head

test('the demo is a chain with months of history that says what it is, fills the charts of its page and grows', async () => {
  const { cli, text, networks } = await start()
  assert.match(text, /demo is a demo chain: its blocks are generated on this machine/)
  const { api, page } = networks.demo!
  const head = await get<Head>(`${api}/head`)
  assert.match(`${head.name} ${head.chain_id}`, /demo.* astrolabe-demo-\d+/)
  const site = /id="site">([^<]*)</.exec(await (await fetch(page)).text())![1]!
  const shown = JSON.parse(site) as { networks: { name: string; demo?: true }[] }
  assert.deepEqual(
    shown.networks.filter(({ demo }) => demo).map(({ name }) => name),
    ['demo'],
  )
  for (const [timeframe, least] of [
    ['hour', 200],
    ['day', 55],
    ['month', 3],
  ] as const) {
    for (const name of ['blobs_size', 'tx_count', 'fee']) {
      const series = await get<{ value: string }[]>(`${api}/stats/series/${name}/${timeframe}?from=1`)
      const filled = series.filter(({ value }) => Number(value) > 0)
      assert.ok(
        filled.length >= Math.min(least, series.length * 0.8) && series.length >= least / 4,
        `${name} by ${timeframe}: ${filled.length}`,
      )
    }
  }
  assert.ok(head.total_proposals > 10)
  await visitDemo(page)
  stopped = await waitAbove(api, head.last_height + 3)
  await stop(cli)
})

test('started again the same chain continues', async () => {
  const { cli, networks } = await start()
  const head = await waitAbove(networks.demo!.api, stopped.last_height + 2)
  assert.equal(head.chain_id, stopped.chain_id)
  const kept = await get<{ hash: string }>(`${networks.demo!.api}/block/${stopped.last_height}`)
  assert.equal(kept.hash.toLowerCase(), (stopped as Head & { hash: string }).hash.toLowerCase())
  const audit = await runCli(['audit', ...(await settings)]).ended
  assert.equal(audit.code, 0, audit.text)
  await stop(cli)
})
