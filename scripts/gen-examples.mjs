// Writes data/examples.json: one answer for every operation of the key surface, for its description. They come from the recorded main chain;
// where it has nothing, from the generated chain of the demo, and else from the schema. Run by `npm run gen`, after the sources are compiled.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { Compile } from 'typebox/compile'
import { describeKeySurface, listOperations } from '../build/src/client-generator/describe.js'
import { demoNetworks, recordedNetworks } from '../build/src/config/load.js'
import { freePort } from '../build/src/lib/free-port.js'
import './build-program.mjs'
import { HINTS } from './example-hints.mjs'
import { recordExamples } from './record-examples.mjs'
import { withNetwork } from './running-demo.mjs'
import { sampleOf } from './sample-of.mjs'
import { root } from './stamp.mjs'

const FILE = join(root, 'data/examples.json')
const PROGRAM = [process.execPath, join(root, 'bin/astrolabe.cjs')]
const env = {
  ...process.env,
  LOG_LEVEL: 'silent',
  KEY_PEPPER: 'a pepper for keys that live for a minute',
  WEBHOOKS_ALLOW_HTTP: 'true',
  WEBHOOKS_PRIVATE_TARGETS: '127.0.0.1',
}

const document = describeKeySurface()
const operations = listOperations()
const [main] = recordedNetworks()
const [generated] = demoNetworks()

async function makeExamples() {
  const kept = readKept()
  const recorded = await askNetwork(main, (ask) => recordExamples(document, ask, HINTS))
  const steady = Object.fromEntries(
    operations.map(({ operationId: id, response }) => [id, recorded[id] ?? keep(kept[id], response[200])]),
  )
  if (Object.values(steady).every((example) => example !== undefined)) return steady
  const passing = {
    ...(await askNetwork({ ...generated, rpc: [`http://127.0.0.1:${await freePort()}`] }, (ask) =>
      recordExamples(document, ask, HINTS),
    )),
    ...(await askNetwork(main, (_ask, askWithKey) => recordOwnersCalls(askWithKey))),
  }
  return Object.fromEntries(
    operations.map(({ operationId: id, response }) => [id, steady[id] ?? passing[id] ?? sampleOf(response[200])]),
  )
}

/** Runs `use` with a function that asks the API of a network, and one that does so with a key. */
const askNetwork = (network, use) =>
  withNetwork(PROGRAM, network, (api, options) => use(askerOf(api), askerOf(api, createKey(options))), { env })

const createKey = (options) =>
  execFileSync(PROGRAM[0], [PROGRAM[1], 'keys', 'create', '--label', 'example', ...options], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

function readKept() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'))
  } catch {
    return {}
  }
}

/** Answers that differ from run to run (times, ids, secrets) stay as long as they fit their schema, so that a second run changes nothing. */
const keep = (example, schema) => (example !== undefined && Compile(schema).Check(example) ? example : undefined)

const askerOf = (api, key) => async (method, path, body) => {
  const headers = { ...(key && { apikey: key }), ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(new URL(path, api), { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { status: answer.status, body: text === '' ? undefined : isJson ? JSON.parse(text) : text }
}

/** Operations that need a key, in an order in which each has something to answer. */
async function recordOwnersCalls(ask) {
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()))
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const examples = {}
  const record = async (id, method, path, body) => {
    const answer = await ask(method, path, body)
    if (answer.status !== 200) throw new Error(`${id}: ${answer.status} ${JSON.stringify(answer.body)}`)
    examples[id] = Array.isArray(answer.body) ? answer.body.slice(0, 1) : answer.body
    return answer.body
  }
  const url = `http://127.0.0.1:${receiver.address().port}/celestia`
  const { id } = await record('create-webhook', 'POST', '/v1/webhooks', { url, events: ['block'], from: 400 })
  const one = `/v1/webhooks/${id}`
  let deliveries = []
  while (!deliveries.some(({ state }) => state === 'delivered'))
    deliveries = await record('list-webhook-deliveries', 'GET', `${one}/deliveries`)
  await record('replay-webhook-delivery', 'POST', `${one}/deliveries/${deliveries[0].id}/replay`)
  await record('list-webhooks', 'GET', '/v1/webhooks')
  await record('get-webhook', 'GET', one)
  await record('change-webhook', 'PATCH', one, { description: 'blocks for the archive' })
  await record('test-webhook', 'POST', `${one}/test`)
  await record('pause-webhook', 'POST', `${one}/pause`)
  await record('resume-webhook', 'POST', `${one}/resume`)
  await record('rotate-webhook-secret', 'POST', `${one}/rotate`)
  await record('delete-webhook', 'DELETE', one)
  await record('get-usage', 'GET', '/v1/usage')
  const { id: made } = await record('create-key', 'POST', '/v1/keys', { name: 'archive' })
  const { id: rotated } = await record('rotate-key', 'POST', `/v1/keys/${made}/rotate`)
  await record('get-account', 'GET', '/v1/account')
  await record('delete-key', 'DELETE', `/v1/keys/${rotated}`)
  receiver.close()
  const text = JSON.stringify(examples).replaceAll(url, 'https://example.org/celestia')
  return JSON.parse(withoutSecrets(text))
}

/** Keys and secrets that nobody can take for real ones. */
const withoutSecrets = (text) =>
  text.replace(/(astro_\w+?_)\w{38}/g, '$1THE-TEXT-OF-THE-KEY').replace(/whsec_[\w+/=]+/g, 'whsec_THE-SECRET-IN-BASE64')

/** One line per operation, so that a change of one is a change of one line. */
const write = (examples) =>
  `{\n${Object.entries(examples)
    .map(([id, example]) => `${JSON.stringify(id)}: ${JSON.stringify(example)}`)
    .join(',\n')}\n}\n`

writeFileSync(FILE, write(await makeExamples()))
