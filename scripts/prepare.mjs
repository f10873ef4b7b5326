// Runs at the end of `npm ci`, so that the first start finds the program compiled. A later start compiles what has changed since.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './stamp.mjs'

if (existsSync(join(root, 'node_modules/rolldown'))) await import('./build-program.mjs')
else console.error('not compiled: the development packages are not installed')
