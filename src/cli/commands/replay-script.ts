import { OperatorError } from '../../lib/errors.ts'
import { openReplayChain } from '../../simulation/node/chain.ts'
import { FAULT_NAMES, type FaultName, type FaultOptions } from '../../simulation/node/faults.ts'
import { divertAppHash, type ForgedBlock, forgeBranch, toForgedBlock, toRawBlock } from '../../simulation/node/forge.ts'
import type { ReplayNode } from '../../simulation/node/node.ts'

export const REPLAY_COMMANDS = `commands, on standard input or, with a height before them, in the file of --fork:
  advance N             N more blocks now
  height H              the head jumps to H, forward or back, without a word
  fork DEPTH            another branch takes the place of the last DEPTH blocks and of all that follow
  fault NAME [KEY=V..]  fail from now on; keys: probability, times, methods, from, to, delayMs, retryAfterSeconds, blocks
  clear [NAME]          stop failing
  die [MS]              close the port (for MS milliseconds)
  revive                open it again
fault names: ${FAULT_NAMES.join(', ')}`

export type ScriptStep = { height: number; command: string }

/** Lines of `HEIGHT COMMAND`; empty ones and those that start with # do not count. */
export function parseScript(text: string): ScriptStep[] {
  return text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, number }) => {
      const step = /^(\d+)\s+(.+)$/.exec(line)
      if (!step) throw new OperatorError('bad_script', `line ${number} must be a height and a command: ${line}`)
      return { height: Number(step[1]), command: step[2]! }
    })
    .sort((a, b) => a.height - b.height)
}

/** Carries out commands on a replay node. Branches are made of what the node serves at that moment. */
export async function openReplayScript(dir: string, node: ReplayNode): Promise<(command: string) => Promise<string>> {
  const chain = await openReplayChain(dir)
  let forks = 0

  async function fork(depth: number): Promise<string> {
    const from = node.height - depth + 1
    if (from <= chain.first)
      throw new OperatorError('bad_script', `there are no ${depth} blocks to fork at height ${node.height}`)
    const blocks: ForgedBlock[] = []
    for (let height = from; height <= chain.last(); height++) blocks.push(toForgedBlock((await chain.block(height))!))
    const branch = forgeBranch(blocks, divertAppHash(`fork ${++forks}`)).map((forged) => toRawBlock(forged))
    chain.replaceFrom(branch)
    node.fork(branch)
    return `another branch from height ${from} on`
  }

  return async (command) => {
    const [word = '', ...args] = command.trim().split(/\s+/)
    switch (word) {
      case 'advance':
        await node.advance(toCount(args[0] ?? '1'))
        return `height ${node.height}`
      case 'height':
        node.setHeight(toCount(args[0]))
        return `height ${node.height}`
      case 'fork':
        return fork(toCount(args[0]))
      case 'fault':
        node.faults.set(toFaultName(args[0]), toFaultOptions(args.slice(1)))
        return `${args[0]} from now on`
      case 'clear':
        node.faults.clear(args[0] === undefined ? undefined : toFaultName(args[0]))
        return 'no more of it'
      case 'die':
        await node.die()
        if (args[0] !== undefined) setTimeout(() => void node.revive(), toCount(args[0])).unref()
        return 'dead'
      case 'revive':
        await node.revive()
        return 'alive'
      default:
        throw new OperatorError('bad_script', `unknown command ${word}; ${REPLAY_COMMANDS}`)
    }
  }
}

function toCount(text: string | undefined): number {
  if (text === undefined || !/^\d{1,9}$/.test(text))
    throw new OperatorError('bad_script', `expected a number, got ${text ?? 'nothing'}`)
  return Number(text)
}

function toFaultName(text: string | undefined): FaultName {
  const name = FAULT_NAMES.find((known) => known === text)
  if (!name) throw new OperatorError('bad_script', `unknown fault ${text}; there are ${FAULT_NAMES.join(', ')}`)
  return name
}

const NUMBERS = ['probability', 'times', 'from', 'to', 'delayMs', 'retryAfterSeconds', 'blocks'] as const

function toFaultOptions(args: string[]): FaultOptions {
  const options: FaultOptions = {}
  for (const arg of args) {
    const [key = '', value = ''] = arg.split('=', 2)
    const number = NUMBERS.find((known) => known === key)
    if (key === 'methods') options.methods = value.split(',')
    else if (number && value !== '' && Number.isFinite(Number(value))) options[number] = Number(value)
    else throw new OperatorError('bad_script', `a fault does not take ${arg}`)
  }
  return options
}
