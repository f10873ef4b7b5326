// Writes src/client/gen from the description of the key surface. Run by `npm run gen`, after the sources are compiled; the result is
// committed, so a second run changes nothing.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { describeKeySurface } = await import('../build/src/client-generator/describe.js')
const { writeOperations } = await import('../build/src/client-generator/write-operations.js')

const file = join(root, 'src', 'client', 'gen', 'operations.ts')
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, writeOperations(describeKeySurface()))
