// `npm run watch [-- PATH-PART …]`: compiles whatever is saved, and after each clean compilation runs the test files whose path contains
// one of the arguments. Ends with Ctrl-C.
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
  if (args.length > 0 && line.includes('Found 0 errors')) await runTests()
}

function runTests() {
  const runner = spawn(process.execPath, ['--enable-source-maps', 'build/test/run.js', ...args], { cwd: root, stdio: 'inherit' })
  return new Promise((resolve) => runner.on('exit', resolve))
}
