import { anAccount } from '../../src/simulation/txs/accounts.ts'
import { findChromium } from '../browser/chromium.ts'
import { serveSite } from '../browser/site.ts'
import { openVisitor } from '../browser/visitor.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { longTest } from '../support/long-test.ts'
import { indexProvableChain } from './provable-chain.ts'

const executable = findChromium()
if (executable)
  longTest('a balance is proven in the browser, and a false proof is refused', async () => {
    const chain = await indexProvableChain()
    const site = await serveSite([{ name: 'main', kind: 'main', node: chain.node.url, databaseUrl: chain.url }])
    closeAfterwards(site.close)
    const visitor = await openVisitor(executable)
    const { page } = visitor
    const verify = () => page.getByRole('button', { name: 'Verify in this browser' }).click()
    await visitor.visit(`${site.urls[0]}address/${anAccount('user 1').text}`)
    await verify()
    await page.getByText('Proven', { exact: true }).waitFor()
    visitor.assertNoComplaints()
    await page.route('**/v1/address/*/proof*', async (route) => {
      const response = await route.fetch()
      const proof = (await response.json()) as { ops: { data: string }[] }
      const data = Buffer.from(proof.ops[0]!.data, 'base64')
      data[40]! ^= 1
      proof.ops[0]!.data = data.toString('base64')
      await route.fulfill({ response, json: proof })
    })
    await page.reload()
    await verify()
    await page.getByText('Not proven').waitFor()
    await visitor.leave()
  })
