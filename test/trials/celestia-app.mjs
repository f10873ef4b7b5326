// Runs a network of real celestia-appd nodes on loopback, indexes it as the README says, and compares what the index answers with what the
// nodes say: to the tip, over restarts, beside nodes that cannot be indexed from, and from an exported state. Takes some minutes and ends by itself.
//   CELESTIA_APPD=/path/to/celestia-appd node test/trials/celestia-app.mjs [--keep]
import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { built } from '../../scripts/built.mjs'
import { root } from '../../scripts/stamp.mjs'
import { measureDelay } from './celestia-app/delay.mjs'
import { CHAIN_ID, findProgram, Network } from './celestia-app/network.mjs'
import { compareState } from './celestia-app/truth.mjs'
import { runTrial, skip } from './trial.mjs'

/** The account of the gov module, which is the same on every chain with this prefix. */
const GOV = 'celestia10d07y265gmmuvt4z0w9aw880jnsr700jtgz4v7'
const { freePort } = await built('src/lib/free-port.js')

await runTrial('celestia', tryNetwork, { isKept: process.argv.includes('--keep') })

async function tryNetwork({ folder, check, afterwards }) {
  const program = findProgram()
  if (!program) skip('there is no celestia-appd: install one and put it on the PATH, or name it in CELESTIA_APPD')

  const astrolabe = join(root, 'bin/astrolabe.cjs')
  async function writeConfig(name, network) {
    const file = join(folder, `${name}.json`)
    const listen = async () => ({ port: await freePort() })
    writeFileSync(
      file,
      JSON.stringify({
        networks: [{ name: 'main', kind: 'main', chain_id: CHAIN_ID, listen: await listen(), ...network }],
        operator: await listen(),
        observability: await listen(),
        indexing: { threads: 1 },
      }),
    )
    return file
  }

  /** Output of `doctor` about nodes; some are refused, so the exit code is ignored. */
  function doctor(config, name) {
    const args = [astrolabe, 'doctor', '--config', config, '--data', join(folder, `data-${name}`)]
    return new Promise((resolve) => execFile(process.execPath, args, (_error, stdout, stderr) => resolve(stdout + stderr)))
  }

  const running = new Set()
  process.once('exit', () => {
    for (const child of running) child.kill('SIGINT')
  })

  /** `start` as a newcomer runs it; resolves when its addresses are known. */
  async function startIndex(name, network) {
    const config = await writeConfig(name, network)
    const ready = join(folder, `${name}-ready.json`)
    rmSync(ready, { force: true })
    const log = openSync(join(folder, `astrolabe-${name}.log`), 'a')
    const args = [
      astrolabe,
      'start',
      '--config',
      config,
      '--data',
      join(folder, `data-${name}`),
      '--no-paid',
      '--ready-file',
      ready,
    ]
    const child = spawn(process.execPath, args, { stdio: ['ignore', log, log] })
    running.add(child)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    while (!existsSync(ready) && child.exitCode === null) await delay(200)
    if (child.exitCode !== null) throw new Error(`start ended; see ${join(folder, `astrolabe-${name}.log`)}`)
    await delay(200)
    const { api, websocket } = JSON.parse(readFileSync(ready, 'utf8')).networks.main
    const height = async () => (await (await fetch(`${api}/head`)).json()).last_height
    return {
      api,
      websocket,
      height,
      async reach(wanted, ms = 120_000) {
        for (const until = Date.now() + ms; Date.now() < until; await delay(100))
          if ((await height().catch(() => 0)) >= wanted) return
        throw new Error(`the index did not reach height ${wanted} within ${ms / 1000} s; see ${folder}`)
      },
      async stop() {
        child.kill('SIGINT')
        await ended
        running.delete(child)
      },
      log: () => readFileSync(join(folder, `astrolabe-${name}.log`), 'utf8'),
    }
  }

  /** Blobs, sends, stake, votes, and txs that fail: each account sends one after the other. */
  async function makeTraffic(network, proposalId) {
    const operator = JSON.parse(
      network.run('keys', 'show', 'validator-0', '--bech', 'val', '--output', 'json', ...network.keyring),
    ).address
    const { alice, bob, carol } = network.accounts
    const fees = ['--fees', '20000utia', '--gas', '300000']
    const proposal = join(folder, 'proposal.json')
    const spend = {
      '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
      authority: GOV,
      recipient: bob,
      amount: [{ denom: 'utia', amount: '100' }],
    }
    const text = { title: 'a vote', summary: 'to be counted', metadata: '', deposit: '10000000000utia', messages: [spend] }
    writeFileSync(proposal, JSON.stringify(text))
    const namespace = (name) => Buffer.from(name.padEnd(10, '.')).toString('hex')
    const rounds = [
      {
        alice: ['bank', 'send', alice, bob, '1234567utia'],
        bob: ['blob', 'pay-for-blob', namespace('try-one'), '0x01020304'],
        carol: ['staking', 'delegate', operator, '7000000utia'],
      },
      {
        alice: ['gov', 'submit-proposal', proposal],
        bob: ['blob', 'pay-for-blob', namespace('try-two'), `0x${'ab'.repeat(3000)}`],
        carol: ['bank', 'multi-send', carol, alice, bob, '1000utia'],
      },
      {
        alice: ['gov', 'vote', proposalId, 'yes'],
        bob: ['staking', 'unbond', operator, '999000000utia'],
        carol: ['staking', 'unbond', operator, '2000000utia'],
        'validator-0': ['gov', 'vote', proposalId, 'yes'],
        'validator-1': ['gov', 'vote', proposalId, 'no'],
      },
      {
        alice: ['bank', 'send', alice, carol, '999999999999999utia'],
        bob: ['distribution', 'fund-community-pool', '5000utia'],
        carol: ['distribution', 'withdraw-all-rewards'],
      },
    ]
    const hashes = []
    for (const round of rounds) {
      for (const [from, args] of Object.entries(round)) hashes.push(network.send(from, ...args, ...fees))
      await network.reach('validator-0', (await network.height('validator-0')) + 2)
    }
    return hashes
  }

  /** With two of three validators away the chain stands still, and node and index can be compared at one height. */
  async function compareStill(network, index, what) {
    await Promise.all([network.stop('validator-1'), network.stop('validator-2')])
    await delay(3000)
    const height = await network.height('validator-0')
    await index.reach(height)
    const { compared, differences } = await compareState(network.node('validator-0'), index.api)
    check(
      `${what}: ${compared} values of state equal the node's at height ${height}`,
      differences.length === 0,
      differences.join('\n     '),
    )
    return height
  }

  async function story(network) {
    console.log(`${program} ${execFileSync(program, ['version'], { encoding: 'utf8' }).trim()}; ${folder}`)
    await network.create(['alice', 'bob', 'carol'])
    for (const { name } of network.nodes) network.start(name)
    await network.reach('validator-0', 3)
    const [archive, discarding] = network.nodes
    console.log(`${CHAIN_ID} makes blocks`)

    const wrong = await doctor(await writeConfig('wrong', { rpc: [archive.rpc], chain_id: 'celestia' }), 'wrong')
    check(
      'doctor names a wrong chain id',
      wrong.includes(`serves chain ${CHAIN_ID}, celestia is configured`),
      wrong.match(/.*configured.*/)?.[0],
    )
    const without = await doctor(await writeConfig('without', { rpc: [discarding.rpc] }), 'without')
    check(
      'doctor names a node without results and the setting',
      /no results of block 1: set discard_abci_responses = false/.test(without),
      without.match(/.*source of.*/)?.[0],
    )

    const rpc = [discarding.rpc, archive.rpc]
    let index = await startIndex('main', { rpc })
    const hashes = await makeTraffic(network, '1')
    await network.reach('validator-0', 25)
    const tip = await network.height('validator-0')
    await index.reach(tip)
    check(`the index reached the tip (${tip}) beside a node without results`, true)
    let failures = 0
    let missing = 0
    for (const hash of hashes) {
      const answer = await fetch(`${index.api}/tx/${hash.toLowerCase()}`)
      const tx = answer.status === 200 ? await answer.json() : undefined
      if (!tx) missing++
      else if (tx.status !== 'success') failures++
    }
    check(
      `${hashes.length} txs sent, all indexed, ${failures} of them failed on the chain`,
      missing === 0 && failures >= 2,
      `${missing} missing`,
    )

    const delays = await measureDelay(archive, index, 20)
    check(
      `median delay from the node to /v1/head ${delays.head.median} ms, to a subscriber ${delays.push.median} ms (${delays.push.count} blocks)`,
      delays.head.median <= 150 && delays.push.median <= 150,
    )

    await network.stop('validator-0')
    await delay(3000)
    network.start('validator-0')
    await network.reach('validator-0', tip + 10)
    await index.reach(tip + 10)
    check('a restart of the node costs nothing but time', true)
    await index.stop()
    index = await startIndex('main', { rpc })
    await index.reach(await network.height('validator-0'))
    check('a restart of the index resumes where it stopped', true)

    const { block_id: id, block } = await network.ask('validator-0', 'block', { height: tip })
    await network.addSynced('synced', { height: Number(block.header.height), hash: id.hash })
    network.start('synced')
    await network.reach('synced', tip + 1)
    const { sync_info: sync } = await network.ask('synced', 'status')
    const synced = await doctor(await writeConfig('synced', { rpc: [network.node('synced').rpc] }), 'synced')
    check(
      `doctor names a state-synced node that begins at height ${sync.earliest_block_height}`,
      /begins at height \d+ and block 1 is needed: use an archive node/.test(synced),
      synced.match(/.*source of.*/)?.[0],
    )

    const height = await compareStill(network, index, 'from genesis')
    await network.stop('validator-0')
    const exported = join(folder, 'state.json')
    writeFileSync(exported, network.run('export', '--home', network.home('validator-0')))
    for (const name of ['validator-0', 'validator-1', 'validator-2']) network.start(name)
    await network.reach('validator-0', height + 3)
    const begun = await startIndex('exported', { rpc: [archive.rpc, network.node('synced').rpc], genesis: exported })
    await makeTraffic(network, '2')
    await compareStill(network, begun, 'from an exported state')
    await index.stop()
    await begun.stop()
    const unexpected = (begun.log() + index.log()).split('\n').filter((line) => /"level":[56]0/.test(line))
    check('no error was logged', unexpected.length === 0, unexpected.slice(0, 3).join('\n'))
  }

  const network = new Network(program, folder)
  afterwards(() => network.stopAll())
  await story(network)
}
