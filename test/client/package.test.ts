import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { startApi } from '../live/stack.ts'
import { devnetUrl } from '../support/database.ts'
import { fewOf } from '../support/long-test.ts'

/** A project of somebody else that has the client among its packages. */
const project = mkdtempSync(join(tmpdir(), 'astrolabe-client-'))
after(() => rmSync(project, { recursive: true }))
mkdirSync(join(project, 'node_modules'))
assert.equal(spawnSync(process.execPath, [packagePath('scripts/build-client.mjs')]).status, 0)
symlinkSync(packagePath('build/client'), join(project, 'node_modules/astrolabe-client'))
writeFileSync(join(project, 'package.json'), '{"type":"module"}')

const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })

test('the package needs nothing else, and another project can call it', async () => {
  const { url } = await startApi(devnetUrl)
  const program = `import { createClient, ApiError } from 'astrolabe-client'
    import { openLive } from 'astrolabe-client/live'
    import { verifyBlock } from 'astrolabe-client/verify'
    const client = createClient({ baseUrl: process.argv[2] })
    const block = await client.getBlock({ height: 390 })
    const refusal = await client.listTxs({ limit: 1000 }).catch((error) => error instanceof ApiError && error.code)
    console.log(block.height, refusal, typeof openLive, typeof verifyBlock)`
  writeFileSync(join(project, 'main.js'), program)
  // The server lives in this process: nobody may block it.
  const child = spawn(process.execPath, ['main.js', url], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  assert.equal(text, '390 invalid_parameter function function\n')
  const description = JSON.parse(readFileSync(packagePath('build/client/package.json'), 'utf8'))
  assert.equal(description.dependencies, undefined)
})

test('its types hold in another project: the example of its README compiles, a wrong input does not', () => {
  const readme = readFileSync(packagePath('src/client/README.md'), 'utf8')
  const example = /```ts\n([\s\S]*?)```/.exec(readme)![1]!
  const compile = (source: string, resolution: 'nodenext' | 'bundler') => {
    writeFileSync(join(project, 'main.ts'), source)
    const modules = resolution === 'bundler' ? ['--module', 'esnext'] : ['--module', 'nodenext']
    return run(
      packagePath('node_modules/typescript/bin/tsc'),
      ...['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''],
      ...[...modules, '--moduleResolution', resolution, 'main.ts'],
    )
  }
  for (const resolution of fewOf(['nodenext', 'bundler'] as const, 1)) {
    const { status, stdout } = compile(example, resolution)
    assert.equal(status, 0, stdout)
  }
  const wrong = compile(example.replace('limit: 5', "limit: 'five'"), 'bundler')
  assert.notEqual(wrong.status, 0)
  assert.match(wrong.stdout, /Type 'string' is not assignable to type 'number'/)
})
