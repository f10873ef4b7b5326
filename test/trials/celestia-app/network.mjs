// A network of celestia-appd processes on loopback: made from nothing, with blocks of about a second, gone with this process.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { built } from '../../../scripts/built.mjs'

const { freePort } = await built('src/lib/free-port.js')

export const CHAIN_ID = 'astrolabe-try-1'
const STAKES = ['5000000000utia', '4000000000utia', '3000000000utia']
const FUNDS = '1000000000000utia'

/** The program of `CELESTIA_APPD` or of the path; undefined when there is none. */
export function findProgram() {
  for (const candidate of [process.env.CELESTIA_APPD, 'celestia-appd']) {
    if (!candidate) continue
    try {
      execFileSync(candidate, ['version'], { stdio: 'ignore' })
      return candidate
    } catch {
      // The next one, or none.
    }
  }
  return undefined
}

/** Replaces the values of `key = …` in the section of a TOML file; the first section has no name. */
function setToml(file, section, values) {
  let current = ''
  const left = new Map(Object.entries(values))
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      const opened = /^\[(.+)\]$/.exec(line)
      if (opened) current = opened[1]
      const key = current === section ? /^([\w-]+) *=/.exec(line)?.[1] : undefined
      if (key === undefined || !left.has(key)) return line
      const value = left.get(key)
      left.delete(key)
      return `${key} = ${JSON.stringify(value)}`
    })
  if (left.size > 0) throw new Error(`${file} has no ${[...left.keys()]} in [${section}]`)
  writeFileSync(file, lines.join('\n'))
}

export class Network {
  #program
  #folder
  #children = new Map()
  nodes = []
  accounts = {}

  constructor(program, folder) {
    this.#program = program
    this.#folder = folder
    process.once('exit', () => this.#killAll('SIGKILL'))
  }

  run(...args) {
    return execFileSync(this.#program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 })
  }

  get keyring() {
    return ['--keyring-backend', 'test', '--keyring-dir', join(this.#folder, 'keys')]
  }

  home(name) {
    return join(this.#folder, name)
  }

  /** Three validators and some rich accounts; the first validator keeps everything, the second one no results. */
  async create(people) {
    mkdirSync(join(this.#folder, 'keys'), { recursive: true })
    const names = STAKES.map((_, i) => `validator-${i}`)
    for (const name of names) this.run('init', name, '--chain-id', CHAIN_ID, '--home', this.home(name))
    for (const name of [...names, ...people]) {
      this.run('keys', 'add', name, ...this.keyring, '--output', 'json')
      this.accounts[name] = this.run('keys', 'show', name, '-a', ...this.keyring).trim()
    }
    const [first] = names
    for (const address of Object.values(this.accounts))
      this.run('genesis', 'add-genesis-account', address, FUNDS, '--home', this.home(first))
    const document = (name) => join(this.home(name), 'config/genesis.json')
    for (const [i, name] of names.entries()) {
      if (name !== first) cpSync(document(first), document(name))
      const file = join(this.home(first), `config/gentx/${name}.json`)
      mkdirSync(join(this.home(first), 'config/gentx'), { recursive: true })
      this.run(
        'genesis',
        'gentx',
        name,
        STAKES[i],
        '--fees',
        '500utia',
        '--chain-id',
        CHAIN_ID,
        '--home',
        this.home(name),
        ...this.keyring,
        '--commission-rate',
        '0.1',
        '--commission-max-rate',
        '1.0',
        '--commission-max-change-rate',
        '1.0',
        '--moniker',
        name,
        '--output-document',
        file,
      )
    }
    this.run('genesis', 'collect-gentxs', '--home', this.home(first))
    // A vote has to end while we look.
    writeFileSync(
      document(first),
      readFileSync(document(first), 'utf8').replaceAll('"604800s"', '"20s"').replaceAll('"86400s"', '"10s"'),
    )
    for (const name of names.slice(1)) cpSync(document(first), document(name))
    for (const [i, name] of names.entries()) await this.#configure(name, { keepsResults: i !== 1, makesSnapshots: i === 0 })
    this.#connect()
  }

  /** Another node that begins with a snapshot of the first one's state, so that it has no block before it. */
  async addSynced(name, trust) {
    this.run('init', name, '--chain-id', CHAIN_ID, '--home', this.home(name))
    cpSync(join(this.home('validator-0'), 'config/genesis.json'), join(this.home(name), 'config/genesis.json'))
    await this.#configure(name, { keepsResults: true, makesSnapshots: false })
    setToml(join(this.home(name), 'config/config.toml'), 'statesync', {
      enable: true,
      rpc_servers: this.nodes
        .slice(0, 2)
        .map(({ rpc }) => rpc)
        .join(','),
      trust_height: trust.height,
      trust_hash: trust.hash,
      trust_period: '168h0m0s',
      discovery_time: '5s',
    })
    this.#connect()
  }

  async #configure(name, { keepsResults, makesSnapshots }) {
    const ports = { rpc: await freePort(), p2p: await freePort(), grpc: await freePort(), api: await freePort() }
    const config = join(this.home(name), 'config/config.toml')
    const app = join(this.home(name), 'config/app.toml')
    setToml(config, 'rpc', { laddr: `tcp://127.0.0.1:${ports.rpc}`, pprof_laddr: '', grpc_laddr: '' })
    setToml(config, 'p2p', {
      laddr: `tcp://127.0.0.1:${ports.p2p}`,
      addr_book_strict: false,
      allow_duplicate_ip: true,
      pex: false,
    })
    setToml(config, 'storage', { discard_abci_responses: !keepsResults })
    setToml(config, '', { log_level: 'error' })
    setToml(app, '', { 'min-retain-blocks': 0, 'minimum-gas-prices': '0.002utia', pruning: 'nothing' })
    setToml(app, 'grpc', { address: `127.0.0.1:${ports.grpc}` })
    setToml(app, 'api', { enable: true, address: `tcp://127.0.0.1:${ports.api}` })
    if (makesSnapshots) setToml(app, 'state-sync', { 'snapshot-interval': 20, 'snapshot-keep-recent': 0 })
    const id = this.run('comet', 'show-node-id', '--home', this.home(name)).trim()
    this.nodes.push({
      name,
      rpc: `http://127.0.0.1:${ports.rpc}`,
      api: `http://127.0.0.1:${ports.api}`,
      peer: `${id}@127.0.0.1:${ports.p2p}`,
    })
  }

  #connect() {
    for (const { name } of this.nodes) {
      const others = this.nodes.filter((other) => other.name !== name).map(({ peer }) => peer)
      setToml(join(this.home(name), 'config/config.toml'), 'p2p', { persistent_peers: others.join(',') })
    }
  }

  start(name) {
    const log = openSync(join(this.#folder, `${name}.log`), 'a')
    const args = ['start', '--home', this.home(name), '--delayed-precommit-timeout', '700ms', '--force-no-bbr']
    const child = spawn(this.#program, args, { stdio: ['ignore', log, log] })
    this.#children.set(name, child)
  }

  async stop(name) {
    const child = this.#children.get(name)
    if (!child) return
    this.#children.delete(name)
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    if ((await Promise.race([gone, delay(15_000, 'late')])) === 'late') child.kill('SIGKILL')
    await gone
  }

  async stopAll() {
    await Promise.all([...this.#children.keys()].map((name) => this.stop(name)))
  }

  #killAll(signal) {
    for (const child of this.#children.values()) child.kill(signal)
  }

  node(name) {
    return this.nodes.find((node) => node.name === name)
  }

  async ask(name, method, params = {}) {
    const query = Object.entries(params)
      .map(([key, value]) => `${key}=${value}`)
      .join('&')
    const answer = await fetch(`${this.node(name).rpc}/${method}?${query}`, { signal: AbortSignal.timeout(10_000) })
    return (await answer.json()).result
  }

  /** 0 while the node does not answer. */
  async height(name) {
    const status = await this.ask(name, 'status').catch(() => undefined)
    return Number(status?.sync_info.latest_block_height ?? 0)
  }

  async reach(name, height, ms = 120_000) {
    for (const until = Date.now() + ms; Date.now() < until; await delay(200)) if ((await this.height(name)) >= height) return
    throw new Error(`${name} did not reach height ${height} within ${ms / 1000} s; see ${join(this.#folder, `${name}.log`)}`)
  }

  /** Sends a tx and gives its hash; whether it succeeds shows in a block. */
  send(from, ...args) {
    const { rpc } = this.node('validator-0')
    const text = this.run(
      'tx',
      ...args,
      '--from',
      from,
      '--chain-id',
      CHAIN_ID,
      '--node',
      rpc,
      '--yes',
      '--output',
      'json',
      ...this.keyring,
    )
    const { code, txhash, raw_log: log } = JSON.parse(text)
    if (code !== 0) throw new Error(`${args.slice(0, 2).join(' ')} was not accepted: ${log}`)
    return txhash
  }

  logs() {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => join(this.#folder, name))
  }
}
