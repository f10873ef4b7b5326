import '../lib/name-runtime.ts'
import { showSourcePositions } from '../lib/source-positions.ts'
import { buildProgram } from './program.ts'

showSourcePositions()
try {
  await (await buildProgram(process.argv.slice(2))).parseAsync()
} catch (error) {
  process.stderr.write(`astrolabe: ${(error as Error).message}\n`)
  process.exit(1)
}
