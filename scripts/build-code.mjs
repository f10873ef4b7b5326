// Compiles the program with its tests, benches and examples.
import { compileAll } from './compile.mjs'

await compileAll()
