import '../runtime/name-runtime.ts'
import { showSourcePositions } from '../runtime/source-positions.ts'
import { buildProgram } from './program.ts'

showSourcePositions()
try {
  await (await buildProgram(process.argv.slice(2))).parseAsync()
} catch (error) {
  process.stderr.write(`astrolabe: ${(error as Error).message}\n`)
  process.exit(1)
}
