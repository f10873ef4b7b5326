import { buildProgram } from './program.ts'

try {
  await buildProgram().parseAsync()
} catch (error) {
  process.stderr.write(`astrolabe: ${(error as Error).message}\n`)
  process.exit(1)
}
