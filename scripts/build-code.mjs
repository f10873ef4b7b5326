// Compiles every file alone, as tests, benches and the other scripts use them.
import { compileFiles } from './compile.mjs'

await compileFiles()
