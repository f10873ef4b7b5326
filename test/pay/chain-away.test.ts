import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { fundGas } from '../../src/pay/local-chain/anvil.ts'
import { openPaid } from '../../src/pay/open.ts'
import { createFastClock } from '../clocks.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { type Bed, echo, makeBed, silent } from './bed.ts'
import { payHeader } from './clients.ts'
import { startRpcProxy } from './rpc-proxy.ts'

let bed: Bed
before(async () => {
  bed = await makeBed()
})
after(() => bed.stop())

test('a surface whose chain is away starts, offers, answers payments 503, and sells once the chain is there', async () => {
  const proxy = await startRpcProxy(bed.chain.rpcUrl)
  bed.onStop(proxy.close)
  const evm = { ...bed.settings.evm!, rpcUrl: proxy.url }
  const up = await bed.serve({ settings: { evm } })
  const headers = await payHeader('mpp', up.settings, `${up.url}/v1/head`)
  proxy.mode = 'down'
  const server = await bed.serve({ settings: { evm, baseUrl: up.url }, clock: createFastClock(50) })
  const url = `${server.url}/v1/head`
  assert.equal((await fetch(url)).status, 402)
  const away = await fetch(url, { headers })
  assert.equal(away.status, 503)
  assert.equal(away.headers.get('www-authenticate'), null)
  proxy.mode = 'up'
  let status = 503
  for (let tries = 0; tries < 200 && status === 503; tries++) {
    await delay(50)
    status = (await fetch(url, { headers })).status
  }
  assert.equal(status, 200)
})

test('a settler without gas is not ready, and ready once it is filled up', async () => {
  const settlerKey = generatePrivateKey()
  const settings = { ...bed.settings, baseUrl: 'http://127.0.0.1', evm: { ...bed.settings.evm!, settlerKey } }
  const paid = await openPaid({ settings, lookup: echo, databaseUrl: bed.databaseUrl, log: silent })
  try {
    await assert.rejects(paid.checkSettler(), { code: 'chain_gas' })
    await fundGas(bed.chain.rpcUrl, privateKeyToAddress(settlerKey))
    assert.deepEqual(await paid.checkSettler(), { ok: true })
  } finally {
    await paid.close()
  }
})

test('a key file that holds no key is a sentence, not a stack trace', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'bad'), 'not a key\n')
  for (const [file, said] of [
    ['bad', /does not hold a private key: 32 bytes in hex/],
    ['missing', /cannot be read: ENOENT/],
  ] as const) {
    const { code, err } = await runCli(['pay-demo', '--payer-key-file', join(folder, file)]).ended
    assert.notEqual(code, 0)
    assert.match(err, said)
    assert.doesNotMatch(err, /\n\s+at /)
  }
})
