// `npm run watch [-- PATH-PART …]`: checks the types of whatever is saved, and when they are right compiles it and runs the test files
// whose path contains one of the arguments. Ends with Ctrl-C.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './stamp.mjs'

const args = process.argv.slice(2)
const compiler = spawn(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json', '--watch', '--preserveWatchOutput'],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
)
compiler.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => compiler.kill(signal))

// Lines that come while tests run wait for their turn.
for await (const line of createInterface({ input: compiler.stdout })) {
  console.log(line)
  if (!line.includes('Found 0 errors')) continue
  await run('scripts/build-code.mjs')
  await run('scripts/build-program.mjs')
  if (args.length > 0) await run('--enable-source-maps', 'build/test/run.js', ...args)
}

function run(...words) {
  const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit' })
  return new Promise((resolve) => child.on('exit', resolve))
}
