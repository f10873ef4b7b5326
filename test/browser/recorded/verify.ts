import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { packagePath } from '../../../src/lib/package-path.ts'
import { openVisitor } from '../visitor.ts'
import { testRecorded } from './site.ts'

testRecorded('the client', (executable, recorded) => {
  test('its verifier runs in a browser', async () => {
    const [tx] = await recorded.client.listTxs({ height: 150, limit: 1 })
    const read = async (path: string) => (await fetch(`${recorded.url}v1/${path}`)).text()
    const [block, share] = [await read('block/150/proof'), await read(`tx/${tx!.hash}/proof`)]
    const server = createServer((request, response) => {
      const isScript = request.url!.endsWith('.js')
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? readFileSync(packagePath(`build/client${request.url}`)) : '<!doctype html>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const visitor = await openVisitor(executable)
    try {
      await visitor.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
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
      assert.deepEqual(await visitor.page.evaluate(script), [150, true, 'ProofError'])
    } finally {
      await visitor.leave()
      server.close()
    }
  })
})
