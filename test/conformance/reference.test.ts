import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { packagePath } from '../../src/lib/package-path.ts'
import type { Json } from '../../src/types/effects.ts'
import { devnetUrl } from '../support/database.ts'
import { fewOf } from '../support/long-test.ts'
import { type ServedChain, serveChain } from '../support/served-chain.ts'
import { type Difference, differences } from './differences.ts'
import { differencesOfPage, type Looseness } from './same-rows.ts'

type Reference = { url: string; status: number; body: Json }
/** `rows`: a list that holds the same rows, which is checked row by row; `at` is for tools that only look at places. */
type Deviation = { url: string; at: string; why: string; rows?: Looseness }

const references = gunzipSync(readFileSync(packagePath('test/fixtures/reference.ndjson.gz')))
  .toString('utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Reference)

/** Where the reference is known to be wrong, and where the chain proves it wrong to us. */
const deviations = ['test/fixtures/reference-deviations.json', 'docs/deviations.json']
  .flatMap((file) => JSON.parse(readFileSync(packagePath(file), 'utf8')) as Deviation[])
  .map(({ url, at, rows }) => ({ url: new RegExp(url), at: new RegExp(at), rows }))

const isExcused = (url: string, { at }: Difference) =>
  deviations.some((deviation) => !deviation.rows && deviation.url.test(url) && deviation.at.test(at))

let chain: ServedChain
let validators: Map<string, number>

before(async () => {
  chain = await serveChain(devnetUrl)
  validators = new Map((await chain.list('/validators?limit=100')).map(({ moniker, id }) => [moniker as string, id as number]))
})
after(() => chain.close())

/** `{validator:NAME}` stands for that validator's id. */
const pathOf = (url: string) =>
  url.replace(/^\/v1/, '').replace(/\{validator:([^}]*)\}/, (_, moniker: string) => String(validators.get(moniker) ?? 0))

type Rows = Parameters<typeof differencesOfPage>[0]

const wholeList = (url: string) => pathOf(url).replace(/limit=\d+/, 'limit=100')

const groupOf = (url: string) =>
  url
    .split(/[?]/)[0]!
    .split('/')
    .slice(2, 4)
    .join('/')
    .replace(/celestia1[0-9a-z]+|\d+|[0-9a-f]{56,64}|\{.*?\}/g, ':x')

const groups = new Map<string, Reference[]>()
for (const row of references) groups.set(groupOf(row.url), [...(groups.get(groupOf(row.url)) ?? []), row])

for (const [group, rows] of groups) {
  test(`${rows.length} answers about ${group} are those of the reference`, async () => {
    const found: string[] = []
    for (const { url, status, body } of fewOf(rows, 8)) {
      const answer = await chain.get(pathOf(url))
      if (answer.status !== status) {
        found.push(`${url}: status ${status} expected, got ${answer.status} ${answer.text}`)
        continue
      }
      if (status !== 200) continue
      const rows = deviations.find((deviation) => deviation.rows && deviation.url.test(url))?.rows
      const isOpen = (difference: Difference) => !isExcused(url, difference)
      const open = rows
        ? differencesOfPage(body as Rows, await chain.list(wholeList(url)), rows, isOpen)
        : differences(body, answer.body).filter(isOpen)
      found.push(...open.map(({ at, text }) => `${url} ${at}: ${text}`))
    }
    assert.deepEqual(found.slice(0, 20), [])
  })
}

test('every deviation of ours says which fact proves it', () => {
  const own = JSON.parse(readFileSync(packagePath('docs/deviations.json'), 'utf8')) as Deviation[]
  for (const { url, at, why } of own) {
    assert.ok(why.length > 40, `${url}: ${why}`)
    assert.notEqual(at, '', `${url}: excuses every difference`)
  }
})
