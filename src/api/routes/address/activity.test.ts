import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { devnetUrl } from '../../../../test/support/database.ts'
import { type ServedChain, serveChain } from '../../../../test/support/served-chain.ts'

/** Sends, delegates, votes and fails. */
const BUSY = 'celestia1q0n68tzq49q0zcv0chxvn9uzjx8d488vlxgr64'
/** Pays for blobs. */
const SIGNER = 'celestia1eyxcmwhgqxl2y0h9yj8d6z2y9mm902lu3z00d7'

describe('what an account did', () => {
  let api: ServedChain
  before(async () => {
    api = await serveChain(devnetUrl)
  })
  after(() => api.close())

  test('txs come oldest first and continue behind a cursor', async () => {
    const all = await api.list(`/address/${SIGNER}/txs?limit=100`)
    assert.deepEqual(
      all.map((row) => row.id),
      all.map((row) => Number(row.id)).sort((a, b) => a - b),
    )
    assert.deepEqual(await api.list(`/address/${SIGNER}/txs?limit=5&offset=90&cursor=${all[9]!.id}`), all.slice(10, 15))
    assert.ok(all.every((row) => !('signers' in row)))
  })

  test('txs can be narrowed by status, type, height and time', async () => {
    const all = await api.list(`/address/${BUSY}/txs?limit=100`)
    const path = (query: string) => `/address/${BUSY}/txs?limit=100&${query}`
    assert.deepEqual(
      await api.list(path('status=failed')),
      all.filter((row) => row.status === 'failed'),
    )
    assert.deepEqual(
      await api.list(path('status=success')),
      all.filter((row) => row.status === 'success'),
    )
    assert.deepEqual(await api.list(path('status=success,failed')), all)
    assert.deepEqual(
      await api.list(path('status=failed,failed')),
      all.filter((row) => row.status === 'failed'),
    )
    const votes = all.filter((row) => (row.message_types as string[]).includes('MsgVote'))
    assert.ok(votes.length > 0)
    assert.deepEqual(await api.list(path('msg_type=MsgVote,MsgVerifyInvariant')), votes)
    const { height, time } = votes[0]!
    assert.deepEqual(
      await api.list(path(`height=${height}`)),
      all.filter((row) => row.height === height),
    )
    const second = Math.floor(Date.parse(String(time)) / 1000)
    const within = (row: { time?: unknown }) => Date.parse(String(row.time)) >= second * 1000
    assert.deepEqual(await api.list(path(`from=${second}`)), all.filter(within))
    assert.deepEqual(
      await api.list(path(`to=${second}`)),
      all.filter((row) => !within(row)),
    )
    assert.deepEqual(await api.list(path(`from=${second + 1}&to=${second}`)), [])
  })

  test('txs at a height that is not indexed are 204, at an idle one an empty list', async () => {
    assert.equal((await api.get(`/address/${BUSY}/txs?height=404`)).status, 204)
    assert.deepEqual(await api.list(`/address/${BUSY}/txs?height=403`), [])
  })

  test('messages name the role, and a filter fills the page before it is cut', async () => {
    const all = await api.list(`/address/${BUSY}/messages?limit=100`)
    const votes = all.filter((row) => row.type === 'MsgVote')
    assert.ok(votes.length > 1 && votes.length < all.length)
    assert.deepEqual(await api.list(`/address/${BUSY}/messages?msg_type=MsgVote&limit=1&offset=1`), votes.slice(1, 2))
    assert.equal(votes[0]!.invocation_type, 'voter')
    assert.deepEqual(Object.keys(votes[0]!.tx as object).sort(), ['fee', 'hash', 'message_types', 'messages_count', 'status'])
  })

  test('blobs come newest first or by size, with their tx unless it is not wanted', async () => {
    const byTime = await api.list(`/address/${SIGNER}/blobs?limit=100`)
    assert.ok(byTime.every((row, i) => i === 0 || Number(row.id) < Number(byTime[i - 1]!.id)))
    const bySize = await api.list(`/address/${SIGNER}/blobs?sort_by=size&sort=asc&limit=100`)
    assert.ok(bySize.every((row, i) => i === 0 || Number(row.size) >= Number(bySize[i - 1]!.size)))
    assert.ok(byTime.every((row) => 'tx' in row && 'namespace' in row && !('signer' in row)))
    assert.ok((await api.list(`/address/${SIGNER}/blobs?joins=false`)).every((row) => !('tx' in row) && 'namespace' in row))
  })
})
