// Generates clients for Go, Python, Rust and TypeScript from the description that a running API serves, compiles them, and makes five calls
// with each. All of them have to print the same lines. A language whose tools are missing is skipped. Option: names of languages.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import '../../scripts/build-program.mjs'
import { built } from '../../scripts/built.mjs'
import { withNetwork } from '../../scripts/running-demo.mjs'
import { root } from '../../scripts/stamp.mjs'
import { runTrial } from './trial.mjs'

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const OPENAPI_GENERATOR = 'org.openapitools:openapi-generator-cli:7.14.0'

const { recordedNetworks } = await built('src/config/load.js')
let folder = ''
const wanted = process.argv.slice(2)

/** Runs a command in a folder of the trial; what it prints comes back. */
function run(cwd, command, ...args) {
  const env = { ...process.env, GOFLAGS: '-mod=mod', PATH: [join(folder, 'python/bin'), process.env.PATH].join(delimiter) }
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 })
}

const has = (command, ...args) => spawnSync(command, args).status === 0

function place(language, ...files) {
  const target = join(folder, language)
  mkdirSync(target, { recursive: true })
  for (const [from, to] of files) {
    mkdirSync(join(target, to, '..'), { recursive: true })
    copyFileSync(join(root, 'clients', language, from), join(target, to))
  }
  return target
}

/** By language: the reason why it is skipped, and the calls, which return what they printed. */
const LANGUAGES = {
  go: {
    missing: () => !has('go', 'version') && 'go is not installed',
    call(description, base) {
      const target = place('go', ['five_calls.go', 'five_calls.go'])
      mkdirSync(join(target, 'astrolabe'))
      writeFileSync(join(target, 'go.mod'), 'module example.org/five-calls\n\ngo 1.24\n')
      run(
        target,
        'go',
        'run',
        OAPI_CODEGEN,
        '-generate',
        'types,client',
        '-package',
        'astrolabe',
        '-o',
        'astrolabe/client.go',
        description,
      )
      return run(target, 'go', 'run', '.', base)
    },
  },
  python: {
    missing: () => !has('python3', '-m', 'venv', '--help') && 'python3 with venv is not installed',
    call(_description, base) {
      const target = place('python')
      run(root, 'python3', '-m', 'venv', target)
      run(root, 'pip', 'install', '--quiet', 'openapi-python-client', 'mypy')
      run(root, 'node', 'scripts/build-python-client.mjs')
      run(root, 'pip', 'install', '--quiet', 'build/python-client')
      const examples = join(root, 'clients/python/examples')
      const names = readdirSync(examples).filter((name) => name.endsWith('.py'))
      run(examples, 'mypy', '--cache-dir', join(target, 'mypy'), '--check-untyped-defs', ...names)
      const printed = new Map(names.map((name) => [name, run(examples, 'python', name, base)]))
      for (const [name, text] of printed) if (text.trim().split('\n').length < 3) throw new Error(`${name} printed too little`)
      checkRichest(printed.get('richest_accounts.py'))
      return printed.get('five_calls.py')
    },
  },
  rust: {
    missing: () =>
      (!has('cargo', '--version') && 'cargo is not installed') ||
      (!has('java', '-version') && 'java is not installed') ||
      (!has('mvn', '--version') && 'mvn is not installed'),
    call(description, base) {
      const target = place('rust', ['five_calls.rs', 'examples/five_calls.rs'])
      run(folder, 'mvn', '--quiet', 'dependency:copy', `-Dartifact=${OPENAPI_GENERATOR}`, `-DoutputDirectory=${folder}`)
      const jar = join(
        folder,
        readdirSync(folder).find((name) => name.endsWith('.jar')),
      )
      run(
        folder,
        'java',
        '-jar',
        jar,
        'generate',
        '-g',
        'rust',
        '-i',
        description,
        '-o',
        target,
        '--package-name',
        'astrolabe_client',
      )
      run(target, 'cargo', 'add', '--quiet', '--dev', 'tokio', '--features', 'macros,rt')
      return run(target, 'cargo', 'run', '--quiet', '--example', 'five_calls', base)
    },
  },
  typescript: {
    missing: () => !has('npm', '--version') && 'npm is not installed',
    call(description, base) {
      const target = place('typescript', ['five-calls.ts', 'five-calls.ts'])
      writeFileSync(join(target, 'package.json'), '{ "type": "module", "private": true }')
      run(
        target,
        'npm',
        'install',
        '--silent',
        '--no-audit',
        '--no-fund',
        'openapi-typescript',
        'openapi-fetch',
        'typescript@5',
        '@types/node',
      )
      run(target, 'npx', 'openapi-typescript', description, '--output', 'astrolabe.d.ts')
      run(target, 'npx', 'tsc', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'five-calls.ts')
      return run(target, 'node', 'five-calls.js', base)
    },
  },
}

/** The example says "largest balances": its lines fall. */
function checkRichest(text) {
  const amounts = text
    .trim()
    .split('\n')
    .map((line) => BigInt(line.split(' ')[1]))
  if (amounts.some((amount, i) => i > 0 && amount > amounts[i - 1]))
    throw new Error(`richest_accounts.py is not in order:\n${text}`)
}

async function tryAll(api, check) {
  const base = api.replace(/\/v1$/, '')
  const description = join(folder, 'openapi.json')
  writeFileSync(description, await (await fetch(`${base}/openapi.json`)).text())
  let expected
  for (const [language, { missing, call }] of Object.entries(LANGUAGES)) {
    if (wanted.length > 0 && !wanted.includes(language)) continue
    const reason = missing()
    if (reason) {
      console.log(`${language} skipped: ${reason}`)
      continue
    }
    const printed = call(description, base)
    expected ??= printed
    check(
      `${language}: five answers, the same as in the other languages`,
      printed === expected && printed.trim().split('\n').length === 5,
      printed,
    )
  }
}

await runTrial(
  'clients',
  async (trial) => {
    folder = trial.folder
    const env = { ...process.env, LOG_LEVEL: 'silent' }
    await withNetwork(
      [process.execPath, join(root, 'bin/astrolabe.cjs')],
      recordedNetworks()[0],
      (api) => tryAll(api, trial.check),
      { env },
    )
  },
  { minutes: 30 },
)
