import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../src/lib/free-port.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { LOCAL_CHAIN_ID, TOKEN_NAME } from '../../src/pay/local-chain/accounts.ts'
import { startJsChain } from '../../src/pay/local-chain/js-chain.ts'
import type { FaultName, FaultOptions } from '../../src/simulation/node/faults.ts'
import { startReplayNode } from '../../src/simulation/node/node.ts'
import { startIndexer } from '../live/stack.ts'
import { recording, writeConfig } from '../support/config-file.ts'
import { freshDatabase } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'
import { makeFolder, runCli } from '../support/program.ts'

test('doctor finds nothing wrong with a machine that can start', async () => {
  const node = await startReplayNode({ dir: packagePath('data/recordings/test-1') })
  const config = writeConfig(makeFolder(), {
    storage: { segments: join(makeFolder(), 'segments') },
    networks: [{ rpc: [node.url] }, { ...recording('test-2'), name: 'b', kind: 'test' }],
  })
  const url = await freshDatabase()
  const { code, text } = await runCli(['doctor', '--config', config, '--database', url, '--data', makeFolder()]).ended
  await node.close()
  assert.equal(code, 0, text)
  for (const wanted of [
    /^ok {3}Node: \d+/m,
    /^ok {3}data folder: /m,
    /^ok {3}segments: \S+segments$/m,
    /^(ok|warn) +disk: [\d.]+ GB free, \d+ %$/m,
    /^ok {3}clock: within 5 s of the database$/m,
    /^ok {3}PostgreSQL: \d+/m,
    /^ok {3}schema net_main: version \d+$/m,
    /^ok {3}schema net_b: will be created at the first start$/m,
    new RegExp(`^ok {3}source of main: ${new URL(node.url).host} has astrolabe-test-1 up to height 158$`, 'm'),
  ])
    assert.match(text, wanted)
})

test('doctor tells beforehand what a long synchronisation takes, from blocks of the node', async () => {
  const node = await startReplayNode({
    dir: packagePath('data/recordings/test-1'),
    faults: { 'over-claims': { blocks: 9_999_842 } },
  })
  const config = writeConfig(makeFolder(), { networks: [{ rpc: [node.url] }], paid: { enabled: false } })
  const url = await freshDatabase()
  const { text } = await runCli(['doctor', '--config', config, '--database', url, '--data', makeFolder()]).ended
  await node.close()
  assert.match(
    text,
    /^ok {3}first synchronisation of main: 10000000 heights to go, like \d+ that were fetched \(\d+ kB and \d+ ms each\): [\d.]+ GB from the nodes, [\d.]+ GB of tables, [\d.]+ hours of CPU time/m,
  )
})

test('doctor names everything that stands in the way, and what only deserves a look', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'taken'), '')
  const [dead, other] = [await freePort(), await startReplayNode({ dir: packagePath('data/recordings/test-2') })]
  const blocker = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => blocker.once('listening', resolve))
  const { port } = blocker.address() as { port: number }
  const config = writeConfig(folder, {
    storage: { segments: join(folder, 'taken/segments') },
    networks: [
      { rpc: [`http://127.0.0.1:${dead}`], listen: { port } },
      { name: 'b', kind: 'test', chain_id: 'celestia', rpc: [other.url] },
    ],
  })
  const database = `postgres://nobody:secret@127.0.0.1:${dead}/none`
  const { code, text } = await runCli([
    'doctor',
    '--config',
    config,
    '--database',
    database,
    '--data',
    join(folder, 'taken/data'),
  ]).ended
  await other.close()
  blocker.close()
  assert.equal(code, 1)
  for (const wanted of [
    /^fail data folder: \S+taken\/data cannot be written: /m,
    /^warn segments: nothing can be kept in \S+taken\/segments: ENOTDIR/m,
    new RegExp(
      `^fail PostgreSQL: no PostgreSQL answers at 127.0.0.1:${dead}: start it, or put DATABASE_URL right .*ECONNREFUSED`,
      'm',
    ),
    new RegExp(`^warn port of main: 127.0.0.1:${port} is taken: start chooses another one, serve and pay refuse$`, 'm'),
    new RegExp(`^fail source of main: 127.0.0.1:${dead}: the node cannot be reached: ECONNREFUSED$`, 'm'),
    /^fail source of b: \S+ serves chain astrolabe-test-2, celestia is configured$/m,
    /^astrolabe: 4 problem\(s\) must be fixed before a start$/m,
  ])
    assert.match(text, wanted)
  assert.doesNotMatch(text, /secret/)
})

longTest('doctor asks the payment chain whether its token is the one of the settings, and needs no secret for it', async (t) => {
  const chain = await startJsChain()
  t.after(() => chain.stop())
  const url = await freshDatabase()
  const examine = async (evm: Record<string, unknown>) => {
    const paid = { port: 0, evm: { chain_id: LOCAL_CHAIN_ID, rpc_url: chain.rpcUrl, token: chain.token, ...evm } }
    const config = writeConfig(makeFolder(), { networks: [recording('test-1')], paid })
    return runCli(['doctor', '--config', config, '--database', url, '--data', makeFolder()]).ended
  }
  const right = await examine({ token_name: TOKEN_NAME })
  assert.match(right.text, new RegExp(`^ok {3}payment chain: chain ${LOCAL_CHAIN_ID}$`, 'm'))
  assert.equal(right.code, 0, right.text)
  const wrong = await examine({ token_name: 'Dollars' })
  assert.match(wrong.text, /^fail payment chain: .*token_name is .*, the settings say Dollars$/m)
  assert.equal(wrong.code, 1)
})

longTest('doctor tells a pruned node and one without results from an archive node, and how such a node is set up', async () => {
  const start = (faults: Partial<Record<FaultName, FaultOptions>>) =>
    startReplayNode({ dir: packagePath('data/recordings/test-1'), faults })
  const pruned = await start({ pruned: { blocks: 51 } })
  const discarding = await start({ 'results-not-kept': {} })
  const upgraded = await start({ 'missing-results': { to: 100 } })
  const archive = await start({})
  const url = await freshDatabase()
  const diagnose = async (...nodes: { url: string }[]) => {
    const config = writeConfig(makeFolder(), { networks: [{ rpc: nodes.map((node) => node.url) }], paid: { enabled: false } })
    return runCli(['doctor', '--config', config, '--database', url, '--data', makeFolder()]).ended
  }
  const alone = await diagnose(pruned, discarding, upgraded)
  assert.equal(alone.code, 1)
  assert.match(
    alone.text,
    /^fail source of main: \S+ cannot be .*begins at height 51 and block 1 is needed: .*min-retain-blocks = 0/m,
  )
  assert.equal(
    alone.text.match(/^fail .*no results of block 1: set discard_abci_responses = false in \[storage\].*before it/gm)?.length,
    2,
  )
  assert.doesNotMatch(alone.text, /paid surface/)
  const together = await diagnose(pruned, archive)
  assert.equal(together.code, 0, together.text)
  assert.match(together.text, /^warn source of main: .*begins at height 51/m)

  // An index that is beyond what was pruned does not need it.
  await startIndexer(url, [archive], { follow: false, until: 60, announce: false }).ended
  const later = await diagnose(pruned)
  assert.equal(later.code, 0, later.text)
  for (const node of [pruned, discarding, upgraded, archive]) await node.close()
})
