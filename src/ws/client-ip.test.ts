import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createClientNamer } from './client-ip.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as IncomingMessage

test('without trusted proxies the forwarding header is not believed', () => {
  const name = createClientNamer()
  assert.equal(name(request('10.0.0.1', '1.2.3.4')), '10.0.0.1')
  assert.equal(name(request('::ffff:10.0.0.1')), '10.0.0.1')
})

test('behind trusted proxies the client is the last address that none of them is', () => {
  const name = createClientNamer(['10.0.0.0/8', '2001:db8::1'])
  assert.equal(name(request('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9')), '1.2.3.4')
  assert.equal(name(request('2001:db8::1', '1.2.3.4')), '1.2.3.4')
  assert.equal(name(request('10.0.0.1')), '10.0.0.1')
  assert.equal(name(request('1.2.3.4', '5.6.7.8')), '1.2.3.4')
})

test('an IPv6 client is its /64', () => {
  const name = createClientNamer()
  const names = ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:0db8:0:0:1:2:3:4'].map((address) => name(request(address)))
  assert.deepEqual(new Set(names), new Set(['2001:db8:0:0::/64']))
  assert.equal(name(request('::1')), '0:0:0:0::/64')
})
