import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClientAddress, isLoopback, networkOf, truncateAddress } from './client.ts'

test('without trusted proxies a forwarding header means nothing', () => {
  const addressOf = createClientAddress([])
  assert.equal(addressOf('203.0.113.7', { 'x-forwarded-for': '198.51.100.1' }), '203.0.113.7')
})

test('behind trusted proxies the last address that none of them has is the client', () => {
  const addressOf = createClientAddress(['10.0.0.0/8', 'fd00::/8'])
  assert.equal(addressOf('10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 198.51.100.1, 10.2.3.4' }), '198.51.100.1')
  assert.equal(addressOf('::ffff:10.0.0.1', { 'x-forwarded-for': '2001:db8::1' }), '2001:db8::1')
  assert.equal(addressOf('fd00::5', { 'x-forwarded-for': '198.51.100.9' }), '198.51.100.9')
  assert.equal(addressOf('203.0.113.7', { 'x-forwarded-for': '198.51.100.1' }), '203.0.113.7', 'the socket is no proxy of ours')
})

test('rubbish in the forwarding header leaves the address of the proxy', () => {
  const addressOf = createClientAddress(['10.0.0.1'])
  for (const value of ['', 'unknown', 'a'.repeat(5000), ',,,', '127.0.0.1:80, x'])
    assert.equal(addressOf('10.0.0.1', { 'x-forwarded-for': value }), '10.0.0.1')
})

test('an IPv6 client is its /64 network however the address is written', () => {
  const network = '2001:db8:0:1::/64'
  for (const address of ['2001:db8:0:1::1', '2001:DB8:0:1:ffff:ffff:ffff:ffff', '2001:0db8:0000:0001::dead:beef'])
    assert.equal(networkOf(address), network)
  assert.equal(networkOf('::1'), '0:0:0:0::/64')
  assert.notEqual(networkOf('2001:db8:0:2::1'), network)
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1')
})

test('loopback is known in both families, and logs get no whole address', () => {
  assert.ok(isLoopback('127.0.0.1') && isLoopback('127.9.9.9') && isLoopback('::1'))
  assert.ok(!isLoopback('128.0.0.1') && !isLoopback('::2') && !isLoopback(''))
  assert.equal(truncateAddress('192.0.2.77'), '192.0.2.0')
})
