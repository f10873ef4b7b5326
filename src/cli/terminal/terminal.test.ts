import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { ProgressLine, StepLine } from './progress.ts'
import { Terminal } from './terminal.ts'

const CODES = new RegExp(String.raw`ESC\[(\d+)A\r|(ESC\[J)|(\n|[^\nESC]+)`.replaceAll('ESC', String.fromCharCode(27)), 'g')

/** Screen contents after the writes: a terminal with line feeds, cursor up and clearing. */
function render(writes: readonly string[]): string[] {
  const lines = ['']
  let row = 0
  for (const [, up, clear, text] of writes.join('').matchAll(CODES)) {
    if (up) row -= Number(up)
    else if (clear) lines.splice(row, lines.length, '')
    else if (text === '\n') lines[++row] ??= ''
    else lines[row] = text!
  }
  return lines.filter((line) => line !== '')
}

test('lines that change stay below those that scroll', () => {
  const writes: string[] = []
  const terminal = new Terminal({ write: (text) => writes.push(text), columns: 40 })
  terminal.show('a', 'a 1')
  terminal.show('b', 'b 1')
  terminal.write('log one\n')
  terminal.show('a', 'a 2')
  assert.deepEqual(render(writes), ['log one', 'a 2', 'b 1'])
  terminal.finish('a')
  terminal.write('log two\n')
  assert.deepEqual(render(writes), ['log one', 'a 2', 'log two', 'b 1'])
})

test('a line is cut where it would wrap', () => {
  const writes: string[] = []
  const terminal = new Terminal({ write: (text) => writes.push(text), columns: 10 })
  terminal.show('a', '0123456789abc')
  terminal.show('a', 'abcdefghijklm')
  assert.deepEqual(render(writes), ['abcdefghi'])
})

test('steps are counted in a line that is gone when all is done', () => {
  const writes: string[] = []
  const terminal = new Terminal({ write: (text) => writes.push(text), columns: 80 })
  const steps = new StepLine('audit', 4, terminal)
  steps.done('links')
  terminal.write('ok links\n')
  assert.deepEqual(render(writes), ['ok links', `audit    ${'█'.repeat(6)}${'░'.repeat(18)} 1 / 4  links`])
  steps.end()
  steps.end()
  assert.deepEqual(render(writes), ['ok links'])
})

test('a bar never runs backwards when its target moves away', () => {
  const writes: string[] = []
  const terminal = new Terminal({ write: (text) => writes.push(text), columns: 120 })
  const progress = new ProgressLine('demo', pino({ level: 'silent' }), terminal)
  const filled = () => render(writes).at(-1)!.split('█').length - 1
  progress.show({ height: 100, target: 100, blocks: 100 })
  assert.equal(filled(), 24)
  progress.show({ height: 200, target: 400, blocks: 100 })
  assert.equal(filled(), 24)
  progress.show({ height: 400, target: 400, blocks: 200 })
  assert.match(render(writes).at(-1)!, /400 \/ 400/)
  assert.equal(filled(), 24)
})
