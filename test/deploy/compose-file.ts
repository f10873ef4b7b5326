import { readFileSync } from 'node:fs'
import { packagePath } from '../../src/lib/package-path.ts'

/** A service of compose.yaml: what it runs and the variables it gets. */
export type ComposeService = { command: string[]; environment: Record<string, string> }

/** The file is ours, so its layout is known: services two spaces in, `command` as a flow list, variables one per line. */
export function readComposeServices(): Map<string, ComposeService> {
  const text = readFileSync(packagePath('compose.yaml'), 'utf8')
  const shared = /^x-environment: .*\n((?: {2}.+\n)+)/m.exec(text)![1]!
  const services = text.slice(text.indexOf('\nservices:'), text.indexOf('\nvolumes:'))
  const parts = services.split(/^ {2}(?=\w+:\n)/m).slice(1)
  return new Map(
    parts.map((part) => {
      const command = /^ {4}command: \[(.+)\]$/m.exec(part)?.[1] ?? ''
      const own = /^ {4}environment:\n((?: {6}.+\n)+)/m.exec(part)?.[1] ?? ''
      return [
        part.split(':', 1)[0]!,
        {
          command: command
            .split(', ')
            .filter((word) => word !== '')
            .map((word) => word.replace(/^"(.*)"$/, '$1')),
          environment: { ...readVariables(shared), ...readVariables(own) },
        },
      ]
    }),
  )
}

function readVariables(lines: string): Record<string, string> {
  return Object.fromEntries([...lines.matchAll(/^ +([A-Z_]+): (.+)$/gm)].map(([, name, value]) => [name!, value!]))
}

/** SQL of ops/compose/roles.sh, which PostgreSQL runs on its first start. */
export function readRolesSql(): string {
  return /<<'SQL'\n([\s\S]+)^SQL$/m.exec(readFileSync(packagePath('ops/compose/roles.sh'), 'utf8'))![1]!
}
