// Compiles the TypeScript into build/. Does nothing when no source is newer than what was built: the compiler alone needs seconds to see that.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildIfStale, root } from './stamp.mjs'

await buildIfStale('build/.built', ['src', 'test', 'bench', 'examples', 'tsconfig.json', 'package-lock.json'], async () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
})
