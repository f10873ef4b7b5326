import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LIST_BYTES } from '../../src/api/lists/write-list.ts'
import { openTestApi, type TestApi } from '../../src/api/testing.ts'
import { MsgMultiSendSchema } from '../../src/decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { messageData } from '../../src/decode/message.ts'
import { aBlock, aGenesis, aMessage, anAccount, aSend, aTx } from '../builders.ts'
import { type BuiltChain, indexBlocks } from '../support/built-chain.ts'

const alice = anAccount('alice').text
const bob = anAccount('bob').text
/** About 1 MB as JSON: a page has room for a few of them. */
const outputs = Array.from({ length: 10_000 }, () => ({ address: bob, coins: [{ denom: 'utia', amount: '1' }] }))
const large = aMessage(MsgMultiSendSchema, { inputs: [{ address: alice, coins: [{ denom: 'utia', amount: '10000' }] }], outputs })
const aLargeTx = (memo: string) => aTx({ from: alice, actions: [{ message: large }], memo })

type Tx = { id: number; messages: { data: unknown; size: number }[] }

describe('lists of large messages', () => {
  let chain: BuiltChain
  let api: TestApi
  before(async () => {
    const blocks = [1, 2, 3].map((height) =>
      aBlock(height, {
        txs: [aSend(alice, bob, 1n), ...[1, 2, 3, 4].map((i) => aLargeTx(`${height} ${i}`)), aSend(alice, bob, 2n)],
      }),
    )
    chain = await indexBlocks(aGenesis({ balances: { [alice]: 1_000_000_000n } }), blocks)
    api = await openTestApi({ url: chain.url })
  })
  after(async () => {
    await api.close()
    await chain.close()
  })

  /** All pages from the first on, as their links lead. */
  async function walk<T>(path: string): Promise<T[][]> {
    const pages: T[][] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const { status, text, headers } = await api.get(next)
      assert.equal(status, 200)
      const page = JSON.parse(text) as T[]
      pages.push(page)
      const longest = Math.max(...page.map((row) => JSON.stringify(row).length))
      assert.ok(text.length < LIST_BYTES + longest, `${text.length} bytes`)
      next = /<([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1]
    }
    return pages
  }

  test('are cut into pages that a link connects, and nothing is lost or told twice', async () => {
    for (const sort of ['asc', 'desc']) {
      const pages = await walk<Tx>(`/v1/tx?limit=100&messages=true&sort=${sort}`)
      const all = pages.flat()
      const known = (await api.get(`/v1/tx?limit=100&sort=${sort}`)).json() as Tx[]
      assert.ok(pages.length > 2)
      assert.deepEqual(
        all.map(({ id }) => id),
        known.map(({ id }) => id),
      )
      const data = messageData(large.typeUrl, large.value, { success: true })
      const found = all.flatMap(({ messages }) => messages).filter(({ size }) => size > 100_000)
      assert.equal(found.length, 12)
      for (const message of found) assert.deepEqual(message.data, data)
    }
  })

  test('of a block, an account and one tx are cut as well', async () => {
    assert.equal((await walk('/v1/block/2/messages?limit=100')).flat().length, 6)
    const address = await walk<{ id: number }>(`/v1/address/${alice}/messages?limit=100`)
    assert.ok(address.length > 2)
    const ids = address.flat().map(({ id }) => id)
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => a - b),
    )
    assert.equal(new Set(ids).size, 18)
    const [, { hash }] = (await api.get('/v1/tx?limit=2')).json() as [unknown, { hash: string }]
    assert.equal((await walk(`/v1/tx/${hash}/messages`)).flat().length, 1)
  })
})
