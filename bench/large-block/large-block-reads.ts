import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { packagePath } from '../../src/lib/package-path.ts'
import { printTable } from '../harness/measure.ts'
import { measureProofs } from './proofs.ts'

const READERS = 24
const HEAD_EVERY_MS = 10
/** Full blocks cost points by their size. */
const UNLIMITED = { name: 'free', requests_per_second: 1_000_000 }

/** Many readers of one full block at a time, through `astrolabe serve`: what they get, and how long `/v1/head` takes meanwhile. */
export async function measureFullBlockReads(setup: {
  node: string
  database: string
  folder: string
  height: number
  /** of another full block */
  unreadHeight: number
}): Promise<void> {
  const { node, database, folder, height, unreadHeight } = setup
  const config = join(folder, 'serve.json')
  const main = { name: 'main', kind: 'main', rpc: [node], listen: { port: 0 } }
  writeFileSync(config, JSON.stringify({ networks: [main], observability: { port: 0 }, access: { plans: [UNLIMITED] } }))
  const args = ['serve', '--config', config, '--database', database, '--data', folder]
  const serve = spawn(process.execPath, [packagePath('bin/astrolabe.cjs'), ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(serve, 'exit')
  try {
    const address = await findAddress(serve.stderr)
    const blobs = (await (await fetch(`${address}/v1/block/${height}/blobs?limit=10`)).json()) as Blob[]
    const rows: Record<string, string | number>[] = []
    for (const path of ['/v1/blob', '/v1/blob/proofs']) {
      let isReading = true
      const heads = measureHeads(address, () => isReading)
      const startedAt = performance.now()
      const statuses = await Promise.all(
        Array.from({ length: READERS }, (_, i) => readBlob(`${address}${path}`, height, blobs[i % blobs.length]!)),
      )
      const seconds = (performance.now() - startedAt) / 1000
      isReading = false
      const times = (await heads).sort((a, b) => a - b)
      rows.push({
        readers: `${READERS} x POST ${path}`,
        answered: [...new Set(statuses)]
          .map((one) => `${statuses.filter((status) => status === one).length} x ${one}`)
          .join(', '),
        seconds: seconds.toFixed(2),
        'head, median ms': times[Math.floor(times.length / 2)]?.toFixed(1) ?? '',
        'head, slowest ms': times.at(-1)?.toFixed(1) ?? '',
        'peak memory, MB': peakMemoryMb(serve.pid!),
      })
    }
    printTable(`readers of one block of ${blobs.length} blobs, 30 MiB, while /v1/head is asked every ${HEAD_EVERY_MS} ms`, rows)
    await measureProofs(address, serve.pid!, unreadHeight)
  } finally {
    serve.kill('SIGINT')
    await ended
  }
}

type Blob = { namespace: { hash: string }; commitment: string }

async function readBlob(url: string, height: number, { namespace, commitment }: Blob): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hash: namespace.hash, height, commitment }),
  })
  await response.arrayBuffer()
  return response.status
}

async function measureHeads(address: string, isReading: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (isReading()) {
    const askedAt = performance.now()
    await (await fetch(`${address}/v1/head`)).arrayBuffer()
    times.push(performance.now() - askedAt)
    await setTimeout(HEAD_EVERY_MS)
  }
  return times
}

async function findAddress(output: Readable): Promise<string> {
  for await (const line of createInterface(output)) {
    const found = /"address":"([^"]+)","msg":"serving"/.exec(line)
    if (found) {
      output.resume()
      return found[1]!
    }
  }
  throw new Error('serve ended before it listened')
}

/** Linux; 0 elsewhere. */
function peakMemoryMb(pid: number): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000)
  } catch {
    return 0
  }
}
