import { readGenesisFile } from '../../../chain/genesis-file.ts'
import { fetchHead, type NodeClient } from '../../../chain/rpc/client.ts'
import { type NextHeight, type NodeProbe, probeNode, sampleNode } from '../../../chain/rpc/probe.ts'
import { fetchState } from '../../../chain/rpc/state.ts'
import { createHttpTransport } from '../../../chain/rpc/transport.ts'
import { keyOf } from '../../../client/proof/state-record.ts'
import type { Config, NetworkConfig } from '../../../config/schema.ts'
import { isConfigured, readSource } from '../../../offchain/source.ts'
import { CLOCK_SECONDS, checkClock, type Finding } from '../../terminal/finding.ts'
import { openSource } from '../../wiring/source.ts'
import { describeSync } from './first-sync.ts'

const SOURCE_MS = 5000
/** Less than this is indexed in minutes and not worth a forecast. */
const LONG_SYNC = 100_000
const SAMPLES = 12

/** Whether the networks can be indexed from where `indexed` says each of them is, and what is known beside their chains. */
export async function* checkSources(config: Config, indexed: ReadonlyMap<string, number>): AsyncGenerator<Finding> {
  for (const network of config.networks) {
    const next = await findNext(network, indexed.get(network.name) ?? 0)
    const findings = network.rpc
      ? await Promise.all(network.rpc.map((url) => checkSource(network, new URL(url).host, () => askNode(url, next))))
      : [await checkSource(network, network.recording!, () => askRecording(network))]
    const isServed = findings.some(({ level }) => level === 'ok')
    // One node that answers is enough.
    for (const finding of findings) yield isServed && finding.level === 'fail' ? { ...finding, level: 'warn' } : finding
    const sound = findings.findIndex(({ level }) => level === 'ok')
    if (network.rpc && sound >= 0) yield* forecast(network, network.rpc[sound]!, next.height)
    if (network.rpc && sound >= 0 && config.indexing.prove_state > 0) yield await checkProofs(network, network.rpc, next.height)
    yield* checkOffchain(network)
  }
}

/** The height that is needed next. */
async function findNext({ genesis, from_height: from }: NetworkConfig, indexed: number): Promise<NextHeight> {
  if (indexed === 0 && from !== undefined) return { height: from, beginsThere: true }
  const isKnown = indexed > 0 || genesis === undefined
  return { height: isKnown ? indexed + 1 : (await readGenesisFile(genesis)).initialHeight, beginsThere: false }
}

async function checkSource(network: NetworkConfig, place: string, ask: () => Promise<NodeProbe>): Promise<Finding> {
  const what = `source of ${network.name}`
  try {
    const { head, trouble } = await ask()
    const { chainId, height, time } = head
    if (network.chain_id !== undefined && network.chain_id !== chainId)
      return { level: 'fail', what, detail: `${place} serves chain ${chainId}, ${network.chain_id} is configured` }
    if (trouble !== undefined) return { level: 'fail', what, detail: `${place} cannot be indexed from: ${trouble}` }
    // Blocks carry the time of their making: one from the future shows a clock that is slow.
    const ahead = (Date.parse(time) - Date.now()) / 1000
    if (ahead > CLOCK_SECONDS) return { ...checkClock(new Date(time), `the last block of ${place}`), what: `clock of ${what}` }
    return { level: 'ok', what, detail: `${place} has ${chainId} up to height ${height}` }
  } catch (error) {
    return { level: 'fail', what, detail: `${place}: ${(error as Error).message}` }
  }
}

const askNode = (url: string, next: NextHeight): Promise<NodeProbe> =>
  withNode(url, (node) => probeNode(node, next, new AbortController().signal))

const SUPPLY = keyOf({ kind: 'supply', denom: 'utia' })

/** Whether a node proves the state of the heights that are needed next, and of its head: nobody is at fault who does not. */
async function checkProofs({ name }: NetworkConfig, urls: readonly string[], next: number): Promise<Finding> {
  const what = `proofs of the state of ${name}`
  const answers = await Promise.all(urls.map((url) => askProofs(url, next).catch((error: Error) => error.message)))
  const [best] = answers.filter((answer) => typeof answer !== 'string').sort((a, b) => a.from - b.from)
  if (!best) return { level: 'warn', what, detail: `no node gives any, so that state stays unproven: ${answers.join('; ')}` }
  const detail =
    best.from <= next
      ? `${best.place} gives them for all heights that are to be indexed`
      : `${best.place} gives them for its newest heights, and keeps no state of height ${next}: what is older stays unproven`
  return { level: best.from <= next ? 'ok' : 'warn', what, detail }
}

/** `from`: a height from which on the node proves state. Throws with its reason when it does not. */
async function askProofs(url: string, next: number): Promise<{ place: string; from: number }> {
  const place = new URL(url).host
  const signal = AbortSignal.timeout(SOURCE_MS)
  return withNode(url, async (node) => {
    const { height } = await fetchHead(node, { signal })
    const ask = async (at: number) => (await fetchState(node, at, [SUPPLY], { signal }))[0]!
    const newest = await ask(height - 1)
    if (!('ops' in newest)) throw new Error(`${place}: ${newest.reason}`)
    const isKept = next < height - 1 && 'ops' in (await ask(next))
    return { place, from: isKept ? next : height - 1 }
  })
}

/** Forecast of the time that the remaining heights take, where they are many. */
async function* forecast({ name }: NetworkConfig, url: string, next: number): AsyncGenerator<Finding> {
  const { signal } = new AbortController()
  const what = `first synchronisation of ${name}`
  yield* await withNode(url, async (node): Promise<Finding[]> => {
    const { height } = await fetchHead(node, { signal })
    if (height - next < LONG_SYNC) return []
    const sample = await sampleNode(node, { from: next, to: height, count: SAMPLES }, signal)
    return sample ? [{ level: 'ok', what, detail: describeSync(height - next + 1, sample) }] : []
    // The findings about the node itself tell what is wrong with it.
  }).catch((): Finding[] => [])
}

async function withNode<T>(url: string, use: (node: NodeClient) => Promise<T>): Promise<T> {
  const transport = createHttpTransport({ headersTimeoutMs: SOURCE_MS, idleTimeoutMs: SOURCE_MS, totalTimeoutMs: 2 * SOURCE_MS })
  try {
    return await use({ label: '', url: new URL(url), send: transport.send })
  } finally {
    transport.close()
  }
}

async function askRecording(network: NetworkConfig): Promise<NodeProbe> {
  const source = await openSource(network)
  try {
    return { head: await source.head(AbortSignal.timeout(SOURCE_MS)) }
  } finally {
    await source.close()
  }
}

async function* checkOffchain(network: NetworkConfig): AsyncGenerator<Finding> {
  for (const [name, settings] of Object.entries(network.offchain)) {
    // Names are asked with a page of changes; that they are configured is all that can be said here.
    if (!isConfigured(settings) || (name === 'names' && settings.url !== undefined)) continue
    const finding = { what: `${name} of ${network.name}`, detail: settings.file ?? settings.url ?? '' }
    yield await readSource(settings, {}, AbortSignal.timeout(SOURCE_MS)).then(
      (): Finding => ({ level: 'ok', ...finding }),
      (error: Error): Finding => ({ level: 'warn', ...finding, detail: error.message }),
    )
  }
}
