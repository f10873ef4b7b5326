// Makes build/release: the packed program and client, an SBOM, a licence report and checksums. Publishing is left to a CI job with
// provenance (`npm publish --provenance build/release/*.tgz`). Refuses a work tree with changes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './stamp.mjs'

const target = join(root, 'build/release')
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

if (run('git', 'status', '--porcelain') !== '') {
  console.error('release: the work tree has changes; commit them or use a clean clone')
  process.exit(1)
}

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
run('npm', 'pack', '--silent', '--pack-destination', target)
run('npm', 'pack', '--silent', '--pack-destination', target, join(root, 'build/client'))
writeFileSync(join(target, 'sbom.cdx.json'), run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'))
writeFileSync(join(target, 'licences.csv'), writeLicences())

const files = readdirSync(target)
const sums = files.map(
  (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(target, name)))
      .digest('hex')}  ${name}\n`,
)
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''))
console.log(`${files.length + 1} files in build/release`)

/** One line per package that is installed with the program. */
function writeLicences() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const rows = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version, license }]) => `${path.split('node_modules/').at(-1)},${version},"${license ?? 'unknown'}"`)
  return `package,version,licence\n${[...new Set(rows)].sort().join('\n')}\n`
}
