import { join } from 'node:path'
import { root } from './stamp.mjs'

/** A module of the compiled program or of its tests, such as `src/lib/free-port.js`. */
export async function built(path) {
  try {
    return await import(join(root, 'build', path))
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    console.error('the program is not compiled yet: run `npm run build` first')
    process.exit(1)
  }
}
