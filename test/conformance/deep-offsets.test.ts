import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RouteGroup, Routes } from '../../src/api/route.ts'
import { allRoutes } from '../../src/api/routes/all.ts'
import { openTestApi, type TestApi } from '../../src/api/testing.ts'
import { fewOf } from '../support/long-test.ts'
import { type Operation, readOperations, urlOf } from './hostile-values.ts'

/** Every list at its largest offset and beyond; for that, each is given one that the recorded chain can exceed. */

const DEEPEST = 2

let plain: TestApi
let shallow: TestApi
let lists: Operation[]
before(async () => {
  plain = await openTestApi()
  shallow = await openTestApi({ groups: allRoutes.map(withShallowLists) })
  const operations = readOperations((await plain.get('/openapi.json')).json())
  lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'offset'))
})
after(() => Promise.all([plain.close(), shallow.close()]))

const withShallowLists =
  (group: RouteGroup): RouteGroup =>
  (app, ctx) => {
    const get = ((path, options, handler) => app.get(path, { ...options, deepestOffset: DEEPEST }, handler)) as Routes['get']
    return group({ ...app, get }, ctx)
  }

const at = (list: Operation, limit: number, more: string) => {
  const url = urlOf(list, 'limit', String(limit))
  return `${url}&${more}`
}

test('a list is answered at its largest offset, and refused beyond with the cursor that reads on', async () => {
  let [refused, continued] = [0, 0]
  assert.ok(lists.length > 40, `${lists.length} lists`)
  for (const list of lists) {
    const whole = await plain.get(at(list, 10, 'offset=0'))
    if (whole.status === 204) continue
    const rows = whole.json() as unknown[]
    const last = await shallow.get(at(list, 5, `offset=${DEEPEST}`))
    assert.deepEqual(last.json(), rows.slice(DEEPEST, DEEPEST + 5), list.path)
    const beyond = await shallow.get(at(list, 5, `offset=${DEEPEST + 1}`))
    if (rows.length <= DEEPEST) {
      assert.deepEqual([beyond.status, beyond.text], [200, '[]\n'], list.path)
      continue
    }
    const { code, param, message } = beyond.json() as { code: string; param: string; message: string }
    assert.deepEqual([beyond.status, code, param], [400, 'offset_too_deep', 'offset'], list.path)
    refused++
    const cursor = /cursor=(\d+) reads on from offset 3/.exec(message)?.[1]
    if (cursor === undefined) continue
    continued++
    assert.deepEqual((await shallow.get(at(list, 5, `cursor=${cursor}`))).json(), rows.slice(DEEPEST + 1, DEEPEST + 6), list.path)
  }
  assert.ok(refused > 15 && continued > 10, `${refused} refused, ${continued} continued`)
})

test('an offset past everything is an empty page in every list', async () => {
  for (const list of lists)
    for (const offset of fewOf([1_000_001, 1_000_000, Number.MAX_SAFE_INTEGER], 1)) {
      const { status, text } = await plain.get(at(list, 10, `offset=${offset}`))
      assert.ok(status === 204 || (status === 200 && text === '[]\n'), `${list.path} ${status} ${text.slice(0, 100)}`)
    }
  assert.deepEqual(plain.failures, [])
})
