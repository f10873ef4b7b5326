import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { openTestApi } from '../../src/api/testing.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { FLAGS, findChromium } from './chromium.ts'

const executablePath = findChromium()

test('the verifier of the client runs in a browser', { skip: executablePath === undefined }, async () => {
  const api = await openTestApi()
  const [tx] = (await api.get('/v1/tx?height=150&limit=1')).json() as { hash: string }[]
  const [block, share] = [await api.get('/v1/block/150/proof'), await api.get(`/v1/tx/${tx!.hash}/proof`)].map(({ text }) => text)
  await api.close()
  const server = createServer((request, response) => {
    const isScript = request.url!.endsWith('.js')
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? readFileSync(packagePath(`build/client${request.url}`)) : '<!doctype html>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath: executablePath!, args: FLAGS })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const script = `(async () => {
      const { verifyBlock, verifyTx } = await import('/verify.js')
      const proof = ${block}
      const trust = { chainId: proof.header.chain_id, validatorsHash: proof.header.validators_hash }
      const verified = await verifyBlock(proof, trust)
      const bytes = await verifyTx(${share}, '${tx!.hash}', verified)
      proof.commit.round += 1
      const refusal = await verifyBlock(proof, trust).catch((error) => error.name)
      return [verified.height, bytes.length > 0, refusal]
    })()`
    assert.deepEqual(await page.evaluate(script), [150, true, 'ProofError'])
  } finally {
    await browser.close()
    server.close()
  }
})
