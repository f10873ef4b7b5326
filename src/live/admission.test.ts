import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Admission } from './admission.ts'

test('places are counted per client and in total, and freed once', () => {
  const admission = new Admission(3)
  const enter = (client: string) => admission.enter({ client, connections: 2 })
  const [first, second] = [enter('a'), enter('a')]
  assert.ok(typeof first === 'function' && typeof second === 'function')
  assert.equal(enter('a'), 'client_connections')
  assert.equal(typeof enter('b'), 'function')
  assert.equal(enter('c'), 'connections')
  first()
  first()
  assert.equal(typeof enter('c'), 'function')
  assert.equal(enter('d'), 'connections')
  second()
  admission.close()
  assert.equal(enter('e'), 'connections')
})
