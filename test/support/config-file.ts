import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath } from '../../src/lib/package-path.ts'

/** A configuration with free ports, unless told otherwise. */
export function writeConfig(folder: string, { networks, ...rest }: Record<string, unknown> & { networks: object[] }): string {
  const file = join(folder, 'config.json')
  const config = {
    operator: { port: 0 },
    observability: { port: 0 },
    ...rest,
    networks: networks.map((network) => ({ name: 'main', kind: 'main', listen: { port: 0 }, ...network })),
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

export const recording = (name: string) => ({ recording: packagePath('data/recordings', name) })
