// What a start needs: the compiled program and its page. `npm run build` makes tests, benches and the typed client too.
import { compileProgram } from './compile.mjs'

await compileProgram()
await import('./build-page.mjs')
