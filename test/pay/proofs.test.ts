import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import { verifyBalance, verifyBlock, verifySupply, verifyValidator } from '../../src/client/verify.ts'
import { SOLD_BY_DEFAULT } from '../../src/config/paid-schema.ts'
import { TIER_USD } from '../../src/operations/operation.ts'
import { toAtomic } from '../../src/pay/sale/offers.ts'
import { openBlocks } from '../live/stack.ts'
import { CHAIN_ID, HEIGHT, indexProvableChain } from '../proofs/provable-chain.ts'
import { type Bed, makeBed, type Server } from './bed.ts'
import { mppClient, x402Fetch } from './clients.ts'
import { openStock } from './stock.ts'

/** Proofs are sold like answers: the typed client pays for them, and its verifier checks them without trust in the seller. */

let bed: Bed
let server: Server
let accounts: string[]
before(async () => {
  const [made, { url, node, generator }] = await Promise.all([makeBed(), indexProvableChain()])
  bed = made
  const blocks = openBlocks([node], CHAIN_ID)
  server = await bed.serve(await openStock(bed, { url, chainId: CHAIN_ID, sells: SOLD_BY_DEFAULT, blocks }))
  const { app_state: state } = JSON.parse(Buffer.from(generator.genesis).toString()) as {
    app_state: { bank: { balances: { address: string }[] } }
  }
  accounts = state.bank.balances.map(({ address }) => address)
})
after(() => bed.stop())

for (const [name, pay] of [
  ['mpp', () => mppClient(server.settings).fetch],
  ['x402', () => x402Fetch(server.settings)],
] as const)
  test(`the typed client buys proofs with ${name} and verifies them`, async () => {
    const shop = createClient({ baseUrl: server.url, fetch: pay() as typeof fetch })
    const before = await bed.revenue()
    const { header } = (await shop.getBlockProof({ height: HEIGHT }))!
    // A buyer knows the validators of some header from elsewhere.
    const trust = { chainId: CHAIN_ID, validatorsHash: header.validators_hash }
    const address = accounts[0]!
    const balance = (await shop.getAddressProof({ hash: address }))!
    assert.equal(String(await verifyBalance(balance, { address }, await verifyBlock(balance.block, trust))), balance.amount)
    assert.notEqual(balance.amount, '0')
    await assert.rejects(verifyBalance(balance, { address: accounts[1]! }, await verifyBlock(balance.block, trust)))
    const supply = (await shop.getSupplyProof({}))!
    assert.equal(String(await verifySupply(supply, {}, await verifyBlock(supply.block, trust))), supply.amount)
    const validator = (await shop.getValidatorProof({ id: 1 }))!
    const proven = await verifyValidator(validator, validator, await verifyBlock(validator.block, trust))
    assert.equal(String(proven!.tokens), validator.tokens)
    assert.equal((await bed.revenue()) - before, 4n * toAtomic(TIER_USD.C))
  })
