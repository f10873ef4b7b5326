// Lets a Prometheus (Debian package prometheus) scrape the running demo with ops/alerts.yml loaded, asks it for every query of the Grafana
// dashboard, and fails when a panel would be empty or an alert is raised.
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { built } from '../../scripts/built.mjs'
import { withDemo } from '../../scripts/running-demo.mjs'
import { root } from '../../scripts/stamp.mjs'
import { need, runTrial } from './trial.mjs'

const WATCH_SECONDS = 60

const { freePort } = await built('src/lib/free-port.js')

async function startPrometheus(target, folder) {
  cpSync(join(root, 'ops/alerts.yml'), join(folder, 'alerts.yml'))
  const shipped = readFileSync(join(root, 'ops/prometheus.yml'), 'utf8')
  const jobs = `  - job_name: astrolabe\n    static_configs: [{ targets: ["${new URL(target).host}"], labels: { role: start } }]\n`
  const config = shipped.replaceAll('10s', '2s').replace(/(scrape_configs:\n)[\s\S]*/, `$1${jobs}`)
  writeFileSync(join(folder, 'prometheus.yml'), config)
  const port = await freePort()
  const options = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${port}`]
  const child = spawn('prometheus', [...options, '--log.level=error'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const ask = async (path) => (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()).data
  return { ask, stop: () => child.kill('SIGTERM') }
}

const panelsOf = (panels) => panels.flatMap((panel) => [panel, ...panelsOf(panel.panels ?? [])])

/** Traffic that gives every panel data. */
async function use({ api, websocket }, seconds) {
  const socket = new (globalThis.WebSocket ?? (await import('ws')).WebSocket)(websocket)
  socket.onopen = () => socket.send(JSON.stringify({ method: 'subscribe', body: { channel: 'head' } }))
  for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(200))
    for (const path of ['head', 'tx?limit=10', 'block?limit=10', 'no-such-route']) await fetch(`${api}/${path}`)
  socket.close()
}

await runTrial('prometheus', async ({ folder, check, afterwards }) => {
  need(['prometheus'], 'Debian package prometheus')
  await withDemo(
    [process.execPath, 'bin/astrolabe.cjs'],
    async ({ networks, observability }) => {
      const prometheus = await startPrometheus(observability.url, folder)
      afterwards(() => sleep(500))
      afterwards(prometheus.stop)
      await use(Object.values(networks)[0], WATCH_SECONDS)
      const dashboard = JSON.parse(readFileSync(join(root, 'ops/grafana/dashboards/astrolabe.json'), 'utf8'))
      const panels = panelsOf(dashboard.panels).filter(({ targets }) => targets)
      const empty = []
      for (const { title, targets } of panels)
        for (const { expr } of targets) {
          const { result } = await prometheus.ask(`query?query=${encodeURIComponent(expr.replaceAll('$network', '.*'))}`)
          if (result.length === 0) empty.push(`${title}: ${expr}`)
        }
      const { alerts } = await prometheus.ask('alerts')
      // The demo's prices are from a file, so they are as old as it says.
      const raised = alerts
        .filter(({ labels }) => labels.alertname !== 'AstrolabePriceOld')
        .map(({ state, labels }) => `${labels.alertname} (${state})`)
      check(`every query of ${panels.length} panels has data`, empty.length === 0, empty.join('\n  '))
      check('no alert is raised', raised.length === 0, raised.join(', '))
    },
    { args: [] },
  )
})
