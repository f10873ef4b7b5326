// Builds the page in web/ into build/page. Does nothing when no source is newer than what was built.
import { join } from 'node:path'
import { buildIfStale, root } from './stamp.mjs'

await buildIfStale(
  'build/page/.built',
  ['web', 'src/client', 'scripts/build-page.mjs', 'package-lock.json'],
  'the page',
  async () => {
    const { build } = await import('vite')
    await build({ configFile: join(root, 'web', 'vite.config.mjs'), logLevel: 'error' })
  },
)
