import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { buildProgram } from '../../src/cli/program.ts'
import { EXAMPLES } from '../../src/cli/terminal/examples.ts'

function* allCommands(command: Command, path = command.name()): Generator<[path: string, command: Command]> {
  yield [path, command]
  for (const inner of command.commands) yield* allCommands(inner, `${path} ${inner.name()}`)
}

const commands = [...allCommands(await buildProgram())]

test('every command has a description', () => {
  for (const [path, command] of commands) assert.match(command.description(), /\w+ \w+/, path)
})

test('every option and argument is explained in words', () => {
  for (const [path, command] of commands) {
    for (const { flags, description } of command.options) assert.match(description, /^\S.*[a-zA-Z]/, `${path} ${flags}`)
    for (const argument of command.registeredArguments)
      assert.match(argument.description, /^\S.*[a-zA-Z]/, `${path} <${argument.name()}>`)
  }
})

test('help shows each option of the command it is asked for', () => {
  for (const [path, command] of commands) {
    const help = command.helpInformation()
    for (const { long } of command.options) assert.ok(help.includes(long!), `${path} ${long}`)
    for (const inner of command.commands) assert.ok(help.includes(inner.name()), `${path} ${inner.name()}`)
  }
})

const leaves = commands.filter(([, command]) => command.commands.length === 0)

test('every command that does something has an example in its help', () => {
  for (const [path] of leaves) assert.ok(EXAMPLES[path.replace('astrolabe ', '')]?.length, path)
  for (const path of Object.keys(EXAMPLES))
    assert.ok(
      commands.some(([known]) => known === `astrolabe ${path}`),
      path,
    )
})

test('an example is a line that the command takes', async () => {
  for (const [line] of Object.values(EXAMPLES).flat()) {
    const program = await buildProgram()
    const taken: string[] = []
    for (const [path, command] of allCommands(program))
      command
        .exitOverride()
        .configureOutput({ writeErr: () => {} })
        .action(() => {
          taken.push(path)
        })
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)
    await program.parseAsync(words, { from: 'user' })
    assert.ok(taken[0] && `astrolabe ${line}`.startsWith(taken[0]), line)
  }
})

test('a count that is no number is refused by name', async () => {
  for (const args of [
    ['index', '--until', 'ten'],
    ['record', 'folder', '--rpc', 'http://127.0.0.1:1', '--from', '-1'],
    ['pay', 'report', '--days', '1.5'],
  ]) {
    const program = await buildProgram()
    let said = ''
    for (const [, command] of allCommands(program)) command.exitOverride().configureOutput({ writeErr: (text) => (said += text) })
    await assert.rejects(program.parseAsync(args, { from: 'user' }))
    assert.match(said, /option '--\w+ <\w+>' argument '.+' is invalid. A whole number is wanted./)
  }
})

test('what an operator needs in the first hour is there', () => {
  const paths = commands.map(([path]) => path.replace('astrolabe ', ''))
  const needed = ['start', 'status', 'doctor', 'index', 'serve', 'pay', 'pay report', 'pay-demo', 'keys create', 'keys list']
  for (const path of [...needed, 'keys rotate', 'keys revoke', 'rollups load', 'migrate', 'record', 'audit'])
    assert.ok(paths.includes(path), path)
})
