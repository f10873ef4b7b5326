// Builds what `start` needs: the program and its page. `npm run build` makes tests, benches and the typed client too.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale, LIBRARY_RECIPE, root } from './stamp.mjs'

const RECIPE = ['scripts/bundle-program.mjs', ...LIBRARY_RECIPE]

// Loaded when it is needed: most starts find the program made.
await buildIfStale('build/.program', ['src', ...RECIPE], 'the program', async () => {
  const { bundleProgram } = await import('./bundle-program.mjs')
  await bundleProgram()
})
await import('./build-page.mjs')

// Shown by --version and in the metrics. An image is built without the repository and gets it as a variable.
const commit =
  process.env.COMMIT || spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout?.trim()
writeFileSync(join(root, 'build/commit'), commit || 'unknown')
