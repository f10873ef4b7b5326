import { packagePath } from '../lib/package-path.ts'

/** Without settings `start` shows a generated chain that never ends, and beside it the bundled recordings. */
export function demoNetworks(): Record<string, unknown>[] {
  const demo = {
    name: 'demo',
    kind: 'main',
    generated: true,
    rpc: ['http://127.0.0.1:9870'],
    listen: { port: 9876 },
    offchain: { rollups: { file: packagePath('data/demo/rollups.json') } },
  }
  const devnet = { ...recorded('devnet', 'test', 'devnet', 9906), offchain: devnetOffchain() }
  return [demo, devnet, ...testNetworks()]
}

/** `start --no-live`: the bundled recordings as a main and two test networks, to their end. */
export function recordedNetworks(): Record<string, unknown>[] {
  return [{ ...recorded('main', 'main', 'devnet', 9876), offchain: devnetOffchain() }, ...testNetworks()]
}

const recorded = (name: string, kind: string, folder: string, port: number) => ({
  name,
  kind,
  recording: packagePath('data/recordings', folder),
  listen: { port },
})

const testNetworks = () => [recorded('test-1', 'test', 'test-1', 9886), recorded('test-2', 'test', 'test-2', 9896)]

const sample = (name: string) => ({ file: packagePath('data/offchain', `${name}.json`) })

/** The relayers of a recorded chain are not known. */
const devnetOffchain = () => ({
  price: sample('price'),
  names: sample('names'),
  hyperlane: sample('hyperlane'),
  rollups: { file: packagePath('data/recordings/devnet/rollups.json') },
})
