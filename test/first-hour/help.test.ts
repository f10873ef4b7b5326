import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { buildProgram } from '../../src/cli/program.ts'

function* allCommands(command: Command, path = command.name()): Generator<[path: string, command: Command]> {
  yield [path, command]
  for (const inner of command.commands) yield* allCommands(inner, `${path} ${inner.name()}`)
}

const commands = [...allCommands(buildProgram())]

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

test('what an operator needs in the first hour is there', () => {
  const paths = commands.map(([path]) => path.replace('astrolabe ', ''))
  const needed = ['start', 'status', 'doctor', 'index', 'serve', 'pay', 'pay report', 'pay-demo', 'keys create', 'keys list']
  for (const path of [...needed, 'keys rotate', 'keys revoke', 'rollups load', 'migrate', 'record', 'audit'])
    assert.ok(paths.includes(path), path)
})
