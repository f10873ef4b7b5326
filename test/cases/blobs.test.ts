import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { computeCommitment } from '../../src/decode/square/commitment.ts'
import type { SquareBlob } from '../../src/decode/square/shares.ts'
import { aBlob, aBlock, aGenesis, anAccount, aPayForBlobs } from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { serveChain } from '../support/served-chain.ts'
import { plain } from './read-rows.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]
const MEGABYTE = 1_000_000

const genesis = () => aGenesis({ balances: { [alice.text]: 10_000_000_000n, [bob.text]: 10_000_000n } })

const authored = (blob: SquareBlob, signer: { hex: string }): SquareBlob => ({
  ...blob,
  shareVersion: 1,
  signer: Buffer.from(signer.hex, 'hex'),
})

/** A namespace by its last byte, or by version: those below are the protocol's own. */
function reserved(version: number, last: number): SquareBlob {
  const namespace = new Uint8Array(29).fill(version === 255 ? 255 : 0)
  namespace[0] = version
  namespace[28] = last
  return { namespace, data: Buffer.from('not for users'), shareVersion: 0 }
}

const many = Array.from({ length: 60 }, (_, i) => aBlob(`space ${i % 7}`, Buffer.alloc(1 + i * 97, i)))
const same = aBlob('twice', 'the same words')

describe('blobs of every size and number', () => {
  let chain: BuiltChain
  before(async () => {
    chain = await indexAndReplay(genesis(), [
      aBlock(1, {
        txs: [
          aPayForBlobs(alice.text, [aBlob('big', Buffer.alloc(MEGABYTE, 0xab))], { fee: 17_150n, gasUsed: 8_574_900n }),
          // A fee that does not divide by 60.
          aPayForBlobs(alice.text, many, { fee: 10_007n, gasUsed: 2_000_003n }),
        ],
      }),
      aBlock(2, {
        txs: [
          aPayForBlobs(alice.text, [same, aBlob('twice', 'other words'), same, aBlob('else', 'x')], {
            fee: 7n,
            gasUsed: 99_999n,
          }),
          aPayForBlobs(bob.text, [same], { fee: 3n }),
          aPayForBlobs(bob.text, [aBlob('lost', 'never counted'), same], { fee: 900n, code: 11, log: 'out of gas' }),
        ],
      }),
      aBlock(3, {
        txs: [
          aPayForBlobs(bob.text, [authored(aBlob('signed', 'mine'), bob), aBlob('signed', 'anyone’s')], { fee: 1001n }),
          // The chain refuses these; should one ever get in, it is told apart.
          aPayForBlobs(bob.text, [reserved(0, 0xff), reserved(255, 0xfe), reserved(0, 0)]),
        ],
      }),
    ])
  })
  after(() => chain.close())

  test('a blob of a megabyte is one row with its true size, commitment and type', async () => {
    const rows = await chain.sql`
      select b.size, b.content_type, b.fee, b.commitment from blob b join namespace n on n.id = b.namespace_id where b.size > 10000`
    assert.deepEqual(plain(rows), [
      {
        size: MEGABYTE,
        content_type: 'text/plain; charset=utf-8',
        fee: '17150.000000000000000000',
        commitment: Buffer.from(computeCommitment(aBlob('big', Buffer.alloc(MEGABYTE, 0xab)))),
      },
    ])
    const square = await chain.sql`select square_size, bytes_in_block > ${MEGABYTE} as big from block where height = 1`
    assert.deepEqual(plain(square), [{ square_size: 64, big: true }])
  })

  test('sixty blobs of a tx are sixty rows in order, and their fees are the fee to the last digit', async () => {
    const rows = await chain.sql<{ position: number; size: number }[]>`
      select position, size from blob where height = 1 and size <= 10000 order by id`
    assert.deepEqual(
      plain(rows),
      many.map(({ data }, position) => ({ position, size: data.length })),
    )
    const sums = await chain.sql`select tx_id, sum(fee) as fee from blob group by tx_id order by tx_id`
    assert.deepEqual(
      sums.map(({ fee }) => fee),
      [
        '17150.000000000000000000',
        '10007.000000000000000000',
        '7.000000000000000000',
        '3.000000000000000000',
        '1001.000000000000000000',
        '2000.000000000000000000',
      ],
    )
  })

  test('larger blobs carry more of the fee', async () => {
    const rows = await chain.sql<{ ordered: boolean }[]>`
      select fee >= lag(fee) over (order by size) as ordered from blob where height = 1 and size <= 10000`
    assert.ok(rows.every(({ ordered }) => ordered !== false))
  })

  test('a namespace counts blobs and bytes, and a PFB once however many blobs it brings', async () => {
    const rows = await chain.sql<{ name: string; size: number; blobs_count: number; pfb_count: number }[]>`
      select convert_from(ltrim(namespace_id, '\\x00'::bytea), 'utf8') as name, size, blobs_count, pfb_count, first_height, last_height
      from namespace where not reserved and namespace_id not like '%space%'::bytea order by id`
    assert.deepEqual(plain(rows), [
      { name: 'big', size: MEGABYTE, blobs_count: 1, pfb_count: 1, first_height: 1, last_height: 1 },
      { name: 'twice', size: 14 * 3 + 11, blobs_count: 4, pfb_count: 2, first_height: 2, last_height: 2 },
      { name: 'else', size: 1, blobs_count: 1, pfb_count: 1, first_height: 2, last_height: 2 },
      { name: 'signed', size: 4 + 10, blobs_count: 2, pfb_count: 1, first_height: 3, last_height: 3 },
    ])
  })

  test('the same commitment may come again in a tx, a block and a chain', async () => {
    const rows = await chain.sql`
      select tx_id & 16777215 as tx, position from blob where commitment = ${Buffer.from(computeCommitment(same))} order by id`
    assert.deepEqual(plain(rows), [
      { tx: 0, position: 0 },
      { tx: 0, position: 2 },
      { tx: 1, position: 0 },
    ])
  })

  test('a failed PFB pays, but neither its blobs nor its namespace exist', async () => {
    const rows = await chain.sql`select fee, success, blobs_count from tx where height = 2 order by id`
    assert.deepEqual(plain(rows).at(-1), { fee: '900', success: false, blobs_count: 0 })
    const stats = await chain.sql`select blobs_count, blobs_size, fee from block where height = 2`
    assert.deepEqual(plain(stats), [{ blobs_count: 5, blobs_size: 14 * 3 + 11 + 1, fee: '910' }])
  })

  test('an authored blob keeps its share version', async () => {
    const rows = await chain.sql`
      select b.share_version from blob b join namespace n on n.id = b.namespace_id where b.height = 3 and not n.reserved order by b.id`
    assert.deepEqual(plain(rows), [{ share_version: 1 }, { share_version: 0 }])
  })

  test('namespaces of the protocol are marked', async () => {
    const rows =
      await chain.sql`select version, encode(substring(namespace_id from 28), 'hex') as last from namespace where reserved order by id`
    assert.deepEqual(plain(rows), [
      { version: 0, last: 'ff' },
      { version: 255, last: 'fe' },
      { version: 0, last: '00' },
    ])
  })

  test('they are served', async (t) => {
    const api = await serveChain(chain.url)
    t.after(() => api.close())
    const blobs = await api.list('/blob?limit=100&sort_by=size&sort=desc')
    assert.equal(blobs[0]?.size, MEGABYTE)
    const namespaces = await api.list('/namespace?limit=100')
    assert.equal(namespaces.length, 7 + 4 + 3)
    for (const path of ['/block/1/blobs', '/block/2/ods', '/block/3/stats']) assert.equal((await api.get(path)).status, 200, path)
  })
})
