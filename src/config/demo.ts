import { packagePath } from '../lib/package-path.ts'

/** Without settings, the bundled recordings are replayed as a main and two test networks. */
export function demoNetworks(): Record<string, unknown>[] {
  const network = (name: string, kind: string, folder: string, port: number) => ({
    name,
    kind,
    recording: packagePath('data/recordings', folder),
    listen: { port },
  })
  const sample = (name: string) => ({ file: packagePath('data/offchain', `${name}.json`) })
  return [
    {
      ...network('main', 'main', 'devnet', 9876),
      live_blocks: 60,
      // Who relays is not known of a recorded chain.
      offchain: {
        price: sample('price'),
        names: sample('names'),
        hyperlane: sample('hyperlane'),
        rollups: { file: packagePath('data/recordings/devnet/rollups.json') },
      },
    },
    network('test-1', 'test', 'test-1', 9886),
    network('test-2', 'test', 'test-2', 9896),
  ]
}
