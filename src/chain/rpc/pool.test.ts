import assert from 'node:assert/strict'
import { setMaxListeners } from 'node:events'
import { test } from 'node:test'
import { ManualClock } from '../../../test/clocks.ts'
import { NodeFault, OperatorError, Transient } from '../../lib/errors.ts'
import { createSeededRandom } from '../../lib/random.ts'
import type { Need } from './choose-node.ts'
import { FailedExchange, rejectRpc, rejectStatus } from './failure.ts'
import { type Lease, NO_HEIGHT, NodePool } from './pool.ts'

const never = new AbortController().signal
const timeout = () => new Transient('node_timeout', 'too slow')
const need = (from: number, to = from) => ({ from, to, order: from })

function createPool(names: string[], log = (_event: string) => {}) {
  const clock = new ManualClock()
  const clients = names.map((label) => ({
    label,
    url: new URL(`http://${label}`),
    send: () => assert.fail('nothing is sent here'),
  }))
  const limits = { backoff: { minMs: 200, maxMs: 30_000 }, quarantineMs: 600_000, maxInFlight: 4, maxBatchCalls: 10 }
  const pool = new NodePool({ clients, limits, clock, random: createSeededRandom(7), log })
  return { pool, clock }
}

/** The lease if it is given without waiting. */
async function take(pool: NodePool, want: Need = need(1)): Promise<Lease | undefined> {
  const giveUp = new AbortController()
  const lease = pool.acquire(want, giveUp.signal).catch((error) => {
    if (error instanceof OperatorError) throw error
    return undefined
  })
  setImmediate(() => giveUp.abort())
  return lease
}

test('a failed node rests, longer each time, and is tried by one request at a time', async () => {
  const { pool, clock } = createPool(['a'])
  const pauses: number[] = []
  for (let i = 0; i < 12; i++) {
    const startedAt = clock.now()
    const waiting = pool.acquire(need(1), never)
    for (let lease: Lease | undefined; !lease; ) {
      lease = await Promise.race([waiting, clock.advance(50).then(() => undefined)])
      if (!lease) continue
      if (i > 0) assert.equal(await take(pool), undefined)
      lease.fail(timeout())
    }
    pauses.push(clock.now() - startedAt)
  }
  assert.ok(pauses.slice(1).every((pause) => pause >= 200 && pause <= 30_050))
  assert.ok(Math.max(...pauses) > 5_000)
})

test('a node out of reach is asked every second where it stands, and used at once when it answers', async () => {
  const { pool, clock } = createPool(['a'])
  const probe = { ...NO_HEIGHT, order: 0 }
  ;(await take(pool))!.fail(timeout())
  for (let i = 0; i < 20; i++) {
    await clock.advance(1000)
    ;(await take(pool, probe))!.fail(timeout())
    assert.equal(await take(pool, probe), undefined)
  }
  assert.equal(await take(pool), undefined)
  await clock.advance(1000)
  ;(await take(pool, probe))!.succeed()
  assert.ok(await take(pool))
})

test('a dead node sees few requests however many wait for it', async () => {
  const { pool, clock } = createPool(['a'])
  let sent = 0
  const giveUp = new AbortController()
  setMaxListeners(0, giveUp.signal)
  const ask = async (height: number) => {
    while (!giveUp.signal.aborted) {
      const lease = await pool.acquire(need(height), giveUp.signal)
      sent++
      lease.fail(timeout())
    }
  }
  const askers = Array.from({ length: 50 }, (_, i) => ask(i).catch(() => {}))
  await clock.advance(1000)
  assert.ok(sent <= 8, `${sent} in the first second`)
  await clock.advance(600_000)
  assert.ok(sent <= 120, `${sent} in ten minutes`)
  giveUp.abort()
  await Promise.all(askers)
})

test('requests that fail together count once', async () => {
  const { pool } = createPool(['a'])
  const leases = [await take(pool), await take(pool)]
  for (const lease of leases) lease!.fail(timeout())
  assert.equal(pool.states()[0]!.failures, 1)
})

test('a node bears more requests at once the more succeed', async () => {
  const { pool } = createPool(['a'])
  const count = async () => {
    const leases: Lease[] = []
    for (let lease = await take(pool); lease; lease = await take(pool)) leases.push(lease)
    for (const lease of leases) lease.succeed()
    return leases.length
  }
  assert.equal(await count(), 2)
  for (let i = 0; i < 10; i++) await count()
  assert.equal(await count(), 4)
})

test('an answer that is held back leaves its place to the one it waits for', async () => {
  const { pool } = createPool(['a'])
  const leases = [await take(pool), await take(pool)]
  assert.equal(await take(pool), undefined)
  let release = () => {}
  const room = new Promise<void>((resolve) => {
    release = resolve
  })
  const held = leases[0]!.holdBack(room)
  const third = await take(pool)
  assert.ok(third)
  release()
  await held
  assert.equal(await take(pool), undefined)
  for (const lease of [...leases, third]) lease!.succeed()
  assert.equal(pool.nodes[0]!.inFlight, 0)
})

test('the time that a server asks for is given to it', async () => {
  const { pool, clock } = createPool(['a'])
  const lease = await take(pool)
  lease!.fail(rejectStatus({ status: 429, body: Buffer.alloc(0), retryAfterMs: 20_000 }))
  await clock.advance(19_999)
  assert.equal(await take(pool), undefined)
  await clock.advance(2)
  assert.ok(await take(pool))
})

test('another node is asked while one rests', async () => {
  const { pool } = createPool(['a', 'b'])
  const first = await take(pool)
  first!.fail(timeout())
  for (let i = 0; i < 3; i++) {
    const lease = await take(pool)
    assert.notEqual(lease!.node.label, first!.node.label)
    lease!.succeed()
  }
})

test('a liar is put aside for ten minutes', async () => {
  const { pool, clock } = createPool(['a', 'b'])
  pool.report('a', new NodeFault('header_hash', 'not true', { height: 5 }))
  assert.equal(pool.isQuarantined('a'), true)
  for (let i = 0; i < 4; i++) assert.notEqual((await take(pool))?.node.label, 'a')
  await clock.advance(600_001)
  assert.equal(pool.isQuarantined('a'), false)
})

test('when every node was put aside the operator hears why', async () => {
  const { pool } = createPool(['a', 'b'])
  pool.report('a', new NodeFault('wrong_chain', 'the block is of chain x', { height: 5 }))
  const lease = await take(pool)
  lease!.fail(rejectRpc({ code: -32603, message: 'Internal error', data: 'node is not persisting finalize block responses' }))
  await assert.rejects(pool.acquire(need(1), never), (error: unknown) => {
    assert.ok(error instanceof OperatorError)
    assert.equal(error.code, 'no_node_left')
    assert.match(error.message, /a: the block is of chain x; b: .*not persisting/)
    return true
  })
})

test('a request that waits already fails when the last node goes', async () => {
  const { pool } = createPool(['a'])
  await take(pool)
  await take(pool)
  const waiting = pool.acquire(need(3), never)
  pool.report('a', new NodeFault('header_hash', 'not true', { height: 5 }))
  await assert.rejects(waiting, OperatorError)
})

test('a spoiled height is asked elsewhere, other heights are not concerned', async () => {
  const { pool, clock } = createPool(['a', 'b'])
  pool.report('a', new NodeFault('not_json', 'HTML', { height: 5 }))
  assert.equal((await take(pool, need(5)))!.node.label, 'b')
  assert.equal((await take(pool, need(6)))!.node.label, 'a')
  await clock.advance(500)
  pool.report('b', new NodeFault('not_json', 'HTML', { height: 5 }))
  assert.equal((await take(pool, need(1, 9)))!.node.label, 'a')
})

test('a height that stays spoiled is asked for less and less', async () => {
  const { pool, clock } = createPool(['a'])
  let asked = 0
  for (let second = 0; second < 120; second++) {
    const lease = await take(pool, need(5))
    if (lease) {
      asked++
      lease.succeed()
      pool.report('a', new NodeFault('bad_field', 'a number', { height: 5 }))
    }
    await clock.advance(1000)
  }
  assert.ok(asked > 5 && asked < 25, `${asked} times in two minutes`)
})

test('a node that is behind is not at fault and is asked again soon', async () => {
  const { pool, clock } = createPool(['a'])
  const error = rejectRpc({
    code: -32603,
    message: '',
    data: 'height 9 must be less than or equal to the current blockchain height 8',
  })
  ;(await take(pool, need(9)))!.fail(error)
  assert.equal(await take(pool, need(9)), undefined)
  assert.ok(await take(pool, need(8)))
  assert.equal(pool.states()[0]!.failures, 0)
  await clock.advance(600)
  assert.ok(await take(pool, need(9)))
})

test('a pruned height needs another node, and when there is none the operator', async () => {
  const { pool } = createPool(['a', 'b'])
  const pruned = rejectRpc({ code: -32603, message: '', data: 'height 3 is not available, lowest height is 100' })
  const first = await take(pool, need(3))
  first!.fail(pruned)
  const second = await take(pool, need(3))
  assert.notEqual(second!.node.label, first!.node.label)
  second!.fail(pruned)
  await assert.rejects(
    pool.acquire(need(3), never),
    (error: unknown) => error instanceof OperatorError && error.code === 'height_pruned',
  )
  assert.ok(await take(pool, need(100)))
  assert.ok(await take(pool, { ...NO_HEIGHT, order: 0 }))
})

test('a node that refuses a batch gets shorter ones, then none', async () => {
  const { pool } = createPool(['a'])
  const node = pool.nodes[0]!
  const refuse = async (data: string) => {
    const lease = await take(pool)
    lease!.fail(rejectRpc({ code: -32600, message: 'Invalid Request', data }))
  }
  assert.equal(node.batchHeights, 5)
  await refuse('batch request exceeds maximum (4) allowed number of requests')
  assert.equal(node.batchHeights, 2)
  await refuse('batch too long')
  assert.equal(node.batchHeights, 1)
  await refuse('batch too long')
  assert.equal(node.batchHeights, 0)
  assert.equal(pool.states()[0]!.failures, 0)
})

test('heights go to waiting requests in their order', async () => {
  const { pool, clock } = createPool(['a'])
  ;(await take(pool))!.fail(timeout())
  const order: number[] = []
  const asking = [9, 3, 6].map(async (height) => {
    const lease = await pool.acquire(need(height), never)
    order.push(height)
    lease.succeed()
  })
  await clock.advance(1000)
  await Promise.all(asking)
  assert.deepEqual(order, [3, 6, 9])
})

test('an error that is not about the node passes through', async () => {
  const { pool } = createPool(['a'])
  const lease = await take(pool)
  assert.throws(() => lease!.fail(new RangeError('a bug of ours')), RangeError)
  assert.ok(!(new FailedExchange({ kind: 'busy', code: 'x', reason: 'y' }) instanceof Transient))
  assert.equal(pool.states()[0]!.failures, 0)
})

const confused = [
  ['has the height and says it has not', 'height 9 must be less than or equal to the current blockchain height 900', -32603],
  ['pruned nothing and says it did', 'height 9 is not available, lowest height is 1', -32603],
  ['refuses single calls as too long', 'batch request exceeds maximum (0) allowed number of requests', -32600],
] as const

for (const [name, data, code] of confused) {
  test(`a node that ${name} is not asked without a pause`, async () => {
    const { pool, clock } = createPool(['a'])
    let asked = 0
    for (let i = 0; i < 200; i++) {
      const lease = await take(pool, need(9))
      if (lease) {
        asked++
        lease.fail(rejectRpc({ code, message: '', data }))
      }
      await clock.advance(10)
    }
    assert.ok(asked > 1 && asked < 15, `${asked} times in two seconds`)
  })
}

test('results that are missing now and then are not taken for results that were never kept', async () => {
  const { pool, clock } = createPool(['a'])
  const missing = () => rejectRpc({ code: -32603, message: 'Internal error', data: 'could not find results for height #39' })
  for (let i = 0; i < 20; i++) {
    const lease = await take(pool, need(39))
    if (i % 2 === 0) lease!.fail(missing())
    else lease!.succeed()
    await clock.advance(60_000)
  }
  for (let i = 0; i < 6; i++) {
    ;(await take(pool, need(39)))!.fail(missing())
    await clock.advance(60_000)
  }
  await assert.rejects(take(pool, need(39)), { code: 'height_pruned' })
})

test('a height that a node denied is asked for again although the time for it passed before anybody waited', async () => {
  const { pool, clock } = createPool(['a'])
  const [node] = pool.nodes
  node!.head.claim({ height: 10, time: '', chainId: 'chain', earliest: 1, catchingUp: false }, clock.now(), clock.now())
  assert.equal(pool.retryAt(9), Number.POSITIVE_INFINITY)
  node!.head.deny(9, clock.now(), clock.now())
  const askableAt = node!.head.askableAt(10)
  assert.ok(askableAt > clock.now())
  assert.equal(pool.retryAt(9), askableAt)
  await clock.advance(1000)
  assert.equal(pool.retryAt(9), askableAt)
  assert.equal(pool.head()?.height, 10)
})

test('a node that stays out of reach is logged a few times, then once a minute, and again when it fails otherwise', async () => {
  const logged: string[] = []
  const { pool, clock } = createPool(['a'], (event) => logged.push(event))
  const probe = { ...NO_HEIGHT, order: 0 }
  for (let i = 0; i < 130; i++) {
    ;(await take(pool, probe))!.fail(timeout())
    await clock.advance(1000)
  }
  assert.deepEqual(new Set(logged), new Set(['node failed']))
  assert.equal(logged.length, 5, 'three at once, two in two minutes')
  ;(await take(pool, probe))!.fail(new Transient('node_reset', 'cut off'))
  assert.equal(logged.length, 6)
})

test('a node that denied a height which another one served since is believed again', async () => {
  const { pool, clock } = createPool(['a', 'b'])
  const [a, b] = pool.nodes
  const claim = (node: typeof a, height: number) =>
    node!.head.claim({ height, time: '', chainId: 'chain', earliest: 1, catchingUp: false }, clock.now(), clock.now())
  claim(a, 10)
  claim(b, 10)
  a!.head.deny(10, clock.now(), clock.now())
  await clock.advance(1000)
  for (let height = 11; height <= 30; height++) {
    claim(b, height)
    const lease = (await take(pool, { ...need(height), avoid: new Set(['a']) }))!
    assert.equal(lease.node, b)
    lease.succeed()
  }
  claim(a, 31)
  pool.report('b', new NodeFault('wrong_chain', 'another chain', {}))
  assert.deepEqual([pool.isQuarantined('b'), pool.head()?.height], [true, 31])
})

test('a node that claims too much is put aside only when another one has the blocks that it does have', async () => {
  const { pool, clock } = createPool(['liar', 'b'])
  const [liar, b] = pool.nodes
  const claim = (node: typeof b, height: number) =>
    node!.head.claim({ height, time: '', chainId: 'chain', earliest: 1, catchingUp: false }, clock.now(), clock.now())
  const deny = async () => {
    await clock.advance(1000)
    claim(liar, 1000)
    const lease = (await take(pool, { ...need(51, 60), avoid: new Set(['b']) }))!
    assert.equal(lease.node, liar)
    lease.fail(
      rejectRpc({
        code: -32603,
        message: 'Internal error',
        data: 'height 60 must be less than or equal to the current blockchain height 50',
      }),
    )
  }
  claim(b, 1)
  for (let i = 0; i < 5; i++) await deny()
  assert.equal(pool.isQuarantined('liar'), false)
  claim(b, 50)
  await deny()
  assert.equal(pool.isQuarantined('liar'), true)
})
