import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { packagePath } from '../../src/lib/package-path.ts'
import { recording, writeConfig } from '../support/config-file.ts'
import { freshDatabase } from '../support/database.ts'
import { fewOf, longTest } from '../support/long-test.ts'
import { makeFolder, type Program, runCli } from '../support/program.ts'
import { allBlocks, type Block } from './markdown.ts'
import { compareShape, matchesText } from './shape.ts'

const run = promisify(execFile)
const documents = ['README.md', 'docs/api.md']
/** Modules find their packages only below the folder that has them. */
const scratch = packagePath('build/docs-examples')

/** Everything that `start` serves, over the indexed main recording; `live` plays another chain block by block. */
let urls: { main: string; live: string; paid: string }
let cli: Program
const bin = makeFolder()

before(async () => {
  mkdirSync(scratch, { recursive: true })
  if (spawnSync('curl', ['--version']).status !== 0) {
    writeFileSync(
      join(bin, 'curl'),
      `#!/bin/sh\nexec "${process.execPath}" "${packagePath('build/test/first-hour/curl.js')}" "$@"\n`,
    )
    chmodSync(join(bin, 'curl'), 0o755)
  }
  const folder = makeFolder()
  const config = writeConfig(folder, {
    networks: [
      recording('devnet'),
      { ...recording('test-1'), name: 'live', kind: 'test', live_blocks: 120, live_interval_ms: 500 },
    ],
    paid: { port: 0 },
  })
  cli = runCli(['start', '--config', config, '--database', await freshDatabase('devnet'), '--data', folder])
  const text = await cli.says(/Ctrl-C stops it/)
  const address = (name: string) => new RegExp(`^  ${name}\\n    page +(http\\S+)/$`, 'm').exec(text)![1]!
  urls = { main: address('main'), live: address('live'), paid: /paid surface +(http\S+)/.exec(text)![1]! }
})

after(async () => {
  cli.child.kill('SIGINT')
  await cli.ended
  rmSync(scratch, { recursive: true, force: true })
})

/** The addresses of a default start become those of this one. */
function localise(text: string, isLive: boolean): string {
  const url = isLive ? urls.live : urls.main
  return text
    .replaceAll('http://127.0.0.1:9876', url)
    .replaceAll('ws://127.0.0.1:9876', url.replace('http', 'ws'))
    .replaceAll('http://127.0.0.1:9878', urls.paid)
}

async function runShell(script: string): Promise<string> {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
  return (await run('sh', ['-c', script], { env, timeout: 30_000 })).stdout
}

async function runModule(code: string, name: string): Promise<string> {
  const file = join(scratch, `${name}.mjs`)
  writeFileSync(
    file,
    code
      .replace("'astrolabe-client'", "'../src/client/client.ts'")
      .replace(/'\.\.\/(src\/[^']+)\.ts'/g, (_, path: string) => `'${pathToFileURL(packagePath('build', `${path}.js`))}'`),
  )
  return (await run(process.execPath, [file], { timeout: 30_000 })).stdout
}

type Example = { code: Block; answers: Block[] }

/** Blocks to run, each with the answers shown after it or, where it is short, in a comment on its last line. */
function examplesOf(text: string): Example[] {
  const examples: Example[] = []
  for (const block of allBlocks(text)) {
    if (/^(sh|ts) run/.test(block.words)) examples.push({ code: block, answers: answerWithin(block) })
    else if (/ answer/.test(block.words)) examples.at(-1)!.answers.push(block)
  }
  return examples
}

function answerWithin({ words, content, line }: Block): Block[] {
  const [, answer] = /\n\/\/ (.+)\n$/.exec(content) ?? []
  return answer === undefined ? [] : [{ words, content: answer, line }]
}

const checkJson = (shown: Block, output: string) => {
  const cut = output.lastIndexOf('\n')
  const status = /status=(\d+)/.exec(shown.words)?.[1] ?? '200'
  assert.equal(output.slice(cut + 1), status, output)
  assert.equal(compareShape(JSON.parse(shown.content), JSON.parse(output.slice(0, cut))), undefined, output.slice(0, 1000))
}

const examples = documents.flatMap((document) =>
  fewOf(examplesOf(readFileSync(packagePath(document), 'utf8')), 5).map((example) => ({ document, ...example })),
)

for (const { document, code, answers } of examples)
  test(`${document}, line ${code.line}: the example runs and its answer is as shown`, async () => {
    assert.ok(answers.length > 0, 'an answer is shown')
    const script = localise(code.content, code.words.endsWith('live'))
    if (code.words.startsWith('ts')) {
      const output = await runModule(script, `line-${code.line}`)
      return assert.ok(matchesText(answers[0]!.content, output), output)
    }
    // Several answers: one for each command.
    const commands = answers.length === 1 ? [script.trimEnd()] : script.trimEnd().split(/(?<!\\)\n/)
    assert.equal(commands.length, answers.length)
    for (const [i, command] of commands.entries()) {
      const shown = answers[i]!
      if (shown.words.startsWith('json')) checkJson(shown, await runShell(`${command} -w '\\n%{http_code}'`))
      else {
        const output = await runShell(command)
        assert.ok(matchesText(shown.content, output), output)
      }
    }
  })

const runExample = async (name: string, isLive = false) => {
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    ASTROLABE_URL: isLive ? urls.live : urls.main,
    ASTROLABE_PAID_URL: urls.paid,
    SECONDS_TO_LISTEN: '2',
  }
  const [program, args] = name.endsWith('.sh')
    ? ['sh', [packagePath('examples', name)]]
    : [process.execPath, [packagePath('build/examples', name.replace('.ts', '.js')), '1']]
  return (await run(program as string, args as string[], { env, timeout: 30_000 })).stdout
}

test('the examples of the key surface read head, pages, nothing and a refusal', async () => {
  const text = await runExample('rest.ts')
  assert.match(
    text,
    /^astrolabe-devnet-1 at height 403\n(\d+ [0-9a-f]{8} .+ \d+\n){10}block 999999999: undefined\nrefused with 400/,
  )
  assert.match(await runExample('rest.sh'), /"last_height": 403[\s\S]*"type":"block"[\s\S]*\n204\n$/)
})

longTest('the examples of live data hear of blocks', async () => {
  assert.match(await runExample('live.ts', true), /^connecting\nopen\n(gas price .*\n)*block \d+ with \d+ txs\n/m)
  assert.match(await runExample('live.sh', true), /^event: blocks\ndata: \{"channel":"blocks"/m)
})

longTest('the examples of the paid surface buy with both official clients, and show the offer', async () => {
  const text = await runExample('paid.ts')
  assert.match(
    text,
    /^402: 1000 units of USD Coin on chain \d+\nmpp: height 403, paid in 0x\w{64}\nx402: block \w{64}, paid in 0x\w{64}\n$/,
  )
  assert.match(await runExample('paid.sh'), /GET \/v1\/head[\s\S]*^HTTP\/1.1 402[\s\S]*^www-authenticate: Payment/m)
})
