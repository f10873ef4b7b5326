// Judges the files for deployers with the tools that deployers have: service files by `systemd-analyze security`, the Helm chart by `helm lint`
// and `helm template`. A tool that is missing is skipped; helm is built from its Go module where it is not installed.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/stamp.mjs'
import { runTrial } from './trial.mjs'

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.19.0'
const MOST_EXPOSED = 3
/** Helm that is built from its module takes an old version for that of the cluster. */
const CLUSTER = ['--kube-version', '1.31.0']

const has = (command, ...args) => spawnSync(command, args).status === 0
const run = (command, args, env = {}) =>
  execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })

function tryServices(check) {
  if (!has('systemd-analyze', '--version')) return console.log('service files skipped: systemd-analyze is not installed')
  for (const name of readdirSync(join(root, 'ops')).filter((name) => name.endsWith('.service'))) {
    const text = run('systemd-analyze', ['security', '--offline=true', '--no-pager', join('ops', name)])
    const level = Number(/exposure level for .*: ([0-9.]+)/.exec(text)?.[1])
    check(`${name} is less exposed than ${MOST_EXPOSED}`, level < MOST_EXPOSED, String(level))
  }
}

/** Everything that can be switched on, and how it has to show. */
const VALUES = {
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'chain', operator: 'Exists' }],
  pay: { enabled: true },
  podMonitor: { enabled: true },
  ingress: {
    enabled: true,
    className: 'nginx',
    hosts: [
      { host: 'celestia.example.org', network: 'main' },
      { host: 'pay.example.org', network: 'paid' },
    ],
    tls: [{ hosts: ['celestia.example.org'], secretName: 'celestia-tls' }],
  },
}

function tryChart(folder, check) {
  const isInstalled = has('helm', 'version')
  if (!isInstalled && !has('go', 'version')) return console.log('chart skipped: neither helm nor go is installed')
  if (!isInstalled) run('go', ['install', HELM], { GOBIN: folder })
  const helm = isInstalled ? 'helm' : join(folder, 'helm')
  const chart = 'ops/helm/astrolabe'
  const values = join(folder, 'values.json')
  writeFileSync(values, JSON.stringify(VALUES))
  for (const options of [[], ['--values', values]]) {
    const { status, stdout } = spawnSync(helm, ['lint', '--strict', chart, ...options], { cwd: root, encoding: 'utf8' })
    check(`helm lint ${options.join(' ')}`, status === 0, status === 0 ? '' : stdout)
  }
  const plain = run(helm, ['template', 'trial', chart, ...CLUSTER])
  check('the defaults switch nothing on', !/kind: Ingress\n|imagePullSecrets|nodeSelector|tolerations/.test(plain))
  const full = run(helm, ['template', 'trial', chart, ...CLUSTER, '--values', values])
  const pods = full.split('automountServiceAccountToken: false').length - 1
  for (const [part, count] of [
    ['kind: Ingress\n', 1],
    ['ingressClassName: nginx', 1],
    [/name: trial-pay\n +port: \{ name: paid \}/, 1],
    [/name: trial-serve\n +port: \{ name: main \}/, 1],
    [/imagePullSecrets:\n +- name: registry/, pods],
    [/nodeSelector:\n +disk: fast/, pods],
    [/tolerations:\n +- key: chain/, pods],
  ])
    check(`${String(part).trim()}: ${count} times`, full.split(part).length - 1 === count)
  const without = spawnSync(helm, ['template', 'trial', chart, ...CLUSTER, '--set', 'ingress.enabled=true'], {
    cwd: root,
    encoding: 'utf8',
  })
  check('an ingress without hosts is refused', without.status !== 0 && without.stderr.includes('ingress.hosts names no host'))
}

await runTrial('deploy', async ({ folder, check }) => {
  tryServices(check)
  tryChart(folder, check)
})
