import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { test } from 'node:test'
import { createAddressPolicy } from '../../src/webhooks/target/address-policy.ts'
import { Poster } from '../../src/webhooks/target/post.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { Receiver } from './receiver.ts'

const never = new AbortController().signal

test('only public addresses are targets, however they are written', () => {
  const isAllowed = createAddressPolicy([])
  for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8']) assert.ok(isAllowed(address), address)
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'localhost',
    '',
  ])
    assert.ok(!isAllowed(address), address)
  const isOurs = createAddressPolicy(['10.1.0.0/16', '::1'])
  assert.deepEqual(
    ['10.1.2.3', '::ffff:10.1.2.3', '10.2.0.1', '::1', '::2'].map((address) => isOurs(address)),
    [true, true, false, true, false],
  )
})

test('a target is https without a user, and an address in a URL is checked in each of its forms', async () => {
  const poster = new Poster({ allowHttp: false, privateTargets: [], timeoutMs: 100 })
  for (const [url, code] of [
    ['http://1.1.1.1/', 'target_protocol'],
    ['file:///etc/passwd', 'target_url'],
    ['https://a:b@1.1.1.1/', 'target_url'],
    ['https://127.0.0.1/', 'target_private'],
    ['https://2130706433/', 'target_private'],
    ['https://0x7f.1/', 'target_private'],
    ['https://[::1]/', 'target_private'],
    ['https://[::ffff:a9fe:a9fe]/', 'target_private'],
    ['https://localhost/', 'target_private'],
    ['https://nowhere.invalid/', 'target_unknown'],
  ] as const)
    await assert.rejects(poster.check(url), { code }, url)
  poster.close()
})

/** A name server on this machine that answers every question for an address with the next of `answers`, the last one for good. */
async function startNameServer(
  answers: string[][],
): Promise<{ resolve: (name: string) => Promise<string[]>; asked: () => number }> {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (query, from) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)]!
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, addresses.length, 0, 0, 0, 0])
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([head, question, ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closeAfterwards(async () => socket.close())
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return { resolve: (name) => resolver.resolve4(name), asked: () => asked }
}

test('a name that is public when it is checked and private when it is called is refused', async () => {
  const receiver = await Receiver.open(() => [])
  const names = await startNameServer([['93.184.216.34'], ['127.0.0.1'], ['93.184.216.34', '127.0.0.1']])
  const poster = new Poster({ allowHttp: true, privateTargets: [], timeoutMs: 1000, resolve: names.resolve })
  const url = receiver.url.replace('127.0.0.1', 'rebind.example')
  await poster.check(url)
  for (let i = 0; i < 2; i++) {
    const outcome = await poster.post(url, {}, '{}', never)
    assert.deepEqual([outcome.ok, outcome.error], [false, 'rebind.example is not a public address'])
  }
  assert.deepEqual([receiver.requests, names.asked()], [0, 3])
  poster.close()
})

test('the connection goes to the address that was checked, and the name is asked once for it', async () => {
  const receiver = await Receiver.open(() => [])
  const names = await startNameServer([['127.0.0.1'], ['93.184.216.34']])
  const poster = new Poster({ allowHttp: true, privateTargets: ['127.0.0.1'], timeoutMs: 1000, resolve: names.resolve })
  const url = receiver.url.replace('127.0.0.1', 'pinned.example')
  // No secret is known there, so it refuses: what counts is that it was asked.
  assert.equal((await poster.post(url, {}, '{}', never)).status, 400)
  assert.deepEqual([receiver.requests, names.asked()], [1, 1])
  poster.close()
})

test('redirects are not followed, silence and endless answers end', async () => {
  const receiver = await Receiver.open(() => ['whsec_AAAA'])
  const poster = new Poster({ allowHttp: true, privateTargets: ['127.0.0.1'], timeoutMs: 1000 })
  receiver.manner = () => 'redirect'
  const { signHeaders } = await import('../../src/webhooks/secret.ts')
  const post = () => poster.post(receiver.url, signHeaders('msg_1', '{}', ['whsec_AAAA'], Date.now()), '{}', never)
  const redirected = await post()
  assert.deepEqual([redirected.ok, redirected.status, receiver.requests], [false, 307, 1])
  receiver.manner = () => 'hang'
  assert.deepEqual((await post()).error, 'no answer in time')
  receiver.manner = () => 'flood'
  assert.equal((await post()).ok, true)
  receiver.manner = () => 'reset'
  assert.deepEqual((await post()).error, 'ECONNRESET')
  poster.close()
})
