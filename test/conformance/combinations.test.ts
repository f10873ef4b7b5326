import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSeededRandom } from '../../src/lib/random.ts'
import type { Json } from '../../src/types/effects.ts'
import { devnetUrl } from '../support/database.ts'
import { fewOf } from '../support/long-test.ts'
import { type ServedChain, serveChain } from '../support/served-chain.ts'

/**
 * Lists with any combination of their parameters give what their whole rows give when they are filtered, ordered and cut by hand.
 * SEED picks other combinations; one that found something is added to SEEDS and stays.
 */
const SEEDS = [1, ...(process.env.SEED ? [Number(process.env.SEED)] : [])]
/** Requests of each kind. */
const REQUESTS = fewOf(
  Array.from({ length: 60 }, (_, i) => i),
  15,
)

type Row = Record<string, Json> & { id: number; time: string; height: number }
type Tx = Row & { status: string; message_types: string[]; signers: { hash: string }[]; messages: (Row & { type: string })[] }
type Blob = Row & { size: number; namespace: string; signer: { hash: string }; commitment: string }
type Query = Record<string, string | number | undefined>
type Page = { limit: number | undefined; offset: number | undefined; sort: 'asc' | 'desc' | undefined }
type Period = { from: number | undefined; to: number | undefined }

const secondsOf = (time: string) => Date.parse(time) / 1000
const isWithin = ({ time }: { time: string }, { from, to }: Period) =>
  (from === undefined || secondsOf(time) >= from) && (to === undefined || secondsOf(time) < to)

function textOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join('&')
}

/** Rows in ascending order become a page. */
function cut<T>(rows: T[], page: Page, byDefault: 'asc' | 'desc'): T[] {
  const { limit = 10, offset = 0, sort = byDefault } = page
  return (sort === 'asc' ? rows : rows.toReversed()).slice(offset, offset + limit)
}

let chain: ServedChain
let txs: Tx[]
let blobs: Blob[]

async function readAll<T>(path: string): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const page = (await chain.list(`${path}&limit=100&offset=${all.length}`)) as unknown as T[]
    all.push(...page)
    if (page.length < 100) return all
  }
}

before(async () => {
  chain = await serveChain(devnetUrl)
  txs = await readAll<Tx>('/tx?messages=true')
  blobs = await readAll<Blob>('/blob?sort=asc')
})
after(() => chain.close())

for (const seed of SEEDS) {
  const random = createSeededRandom(seed)
  const chance = (part: number) => random() < part
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const maybe = <T>(part: number, value: () => T): T | undefined => (chance(part) ? value() : undefined)
  const some = <T>(value: () => T): T[] => Array.from({ length: 1 + Math.floor(random() * 3) }, value)

  const aPage = (): Page => ({
    limit: maybe(0.6, () => 1 + Math.floor(random() * 30)),
    offset: maybe(0.5, () => Math.floor(random() * (chance(0.2) ? 5000 : 40))),
    sort: maybe(0.6, () => pick(['asc', 'desc'] as const)),
  })
  const aTime = () => Math.floor(secondsOf(pick(txs).time)) + Math.floor(random() * 3) - 1
  const aPeriod = (): Period => ({ from: maybe(0.3, aTime), to: maybe(0.3, aTime) })
  const someTypes = () => some(() => pick([...new Set(txs.flatMap((tx) => tx.message_types)), 'MsgVerifyInvariant']))

  async function check(path: string, query: Query, wanted: { id: number }[]): Promise<void> {
    const url = `${path}?${textOf(query)}`
    const rows = await chain.list(url)
    assert.deepEqual(
      rows.map(({ id }) => id),
      wanted.map(({ id }) => id),
      url,
    )
  }

  describe(`combinations of seed ${seed}`, () => {
    test('txs, of all and of one signer', async () => {
      for (const _ of REQUESTS) {
        const [page, period] = [aPage(), aPeriod()]
        const [types, excluded] = [maybe(0.4, someTypes), maybe(0.3, someTypes)]
        const status = maybe(0.3, () => pick([['success'], ['failed'], ['success', 'failed']]))
        const height = maybe(0.15, () => pick(txs).height)
        const query = { ...page, ...period, msg_type: types?.join(), status: status?.join(), height }
        const found = txs.filter(
          (tx) =>
            isWithin(tx, period) &&
            (!types || tx.message_types.some((type) => types.includes(type))) &&
            (!status || status.includes(tx.status)) &&
            (height === undefined || tx.height === height),
        )
        const kept = found.filter((tx) => !excluded || tx.message_types.some((type) => !excluded.includes(type)))
        await check('/tx', { ...query, excluded_msg_type: excluded?.join() }, cut(kept, page, 'asc'))
        const [signer] = pick(txs).signers
        const signed = found.filter((tx) => tx.signers.some(({ hash }) => hash === signer!.hash))
        await check(`/address/${signer!.hash}/txs`, query, cut(signed, page, 'asc'))
      }
    })

    test('messages of a block', async () => {
      for (const _ of REQUESTS) {
        const { limit, offset } = aPage()
        const [types, excluded] = [maybe(0.5, someTypes), maybe(0.4, someTypes)]
        const height = Math.max(pick(txs).height, 1)
        const messages = txs.filter((tx) => tx.height === height).flatMap((tx) => tx.messages)
        const found = messages.filter(({ type }) => (!types || types.includes(type)) && !excluded?.includes(type))
        const query = { limit, offset, msg_type: types?.join(), excluded_msg_type: excluded?.join() }
        await check(`/block/${height}/messages`, query, cut(found, { limit, offset, sort: 'asc' }, 'asc'))
      }
    })

    test('blobs, of all, of a namespace, of a signer and of a block', async () => {
      for (const _ of REQUESTS) {
        const [page, period] = [aPage(), aPeriod()]
        const sort_by = maybe(0.6, () => pick(['time', 'size']))
        const ordered = (rows: Blob[]) => (sort_by === 'size' ? rows.toSorted((a, b) => a.size - b.size || a.id - b.id) : rows)
        const namespaces = maybe(0.4, () => some(() => pick(blobs).namespace))
        const signers = maybe(0.4, () => some(() => pick(blobs).signer.hash))
        const commitment = maybe(0.1, () => pick(blobs).commitment)
        const found = blobs.filter(
          (blob) =>
            isWithin(blob, period) &&
            (!signers || signers.includes(blob.signer.hash)) &&
            (!commitment || blob.commitment === commitment),
        )
        const query = {
          ...page,
          ...period,
          sort_by,
          signers: signers?.join(),
          commitment: commitment?.replaceAll('+', '-').replaceAll('/', '_'),
        }
        const inNamespaces = found.filter((blob) => !namespaces || namespaces.includes(blob.namespace))
        await check('/blob', { ...query, namespaces: namespaces?.join() }, cut(ordered(inNamespaces), page, 'desc'))

        const one = pick(blobs)
        const id = Buffer.from(one.namespace, 'base64')
        const inOne = found.filter((blob) => blob.namespace === one.namespace)
        const path = `/namespace/${id.subarray(1).toString('hex')}/${id[0]}/blobs`
        await check(path, query, cut(ordered(inOne), page, 'desc'))
        const signed = blobs.filter((blob) => blob.signer.hash === one.signer.hash)
        await check(`/address/${one.signer.hash}/blobs`, { ...page, sort_by }, cut(ordered(signed), page, 'desc'))
        const inBlock = blobs.filter(({ height }) => height === one.height)
        await check(`/block/${one.height}/blobs`, { ...page, sort_by }, cut(ordered(inBlock), page, 'desc'))
      }
    })
  })
}
