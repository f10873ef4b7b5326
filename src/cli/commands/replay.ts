import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { OperatorError } from '../../lib/errors.ts'
import { startReplayNode } from '../../simulation/node/node.ts'
import { runCommand, untilStopped } from '../wiring/runtime.ts'
import { openReplayScript, parseScript, REPLAY_COMMANDS } from './replay-script.ts'

type ReplayOptions = { port: string; host: string; interval?: string; start?: string; fork?: string }

/** How often a script looks where the head is. */
const SCRIPT_MS = 20

export function registerReplayCommand(program: Command): void {
  program
    .command('replay')
    .argument('<dir>', 'folder of the recording')
    .description('serve a recording as a consensus node that produces blocks over time and misbehaves on command')
    .option('--port <port>', 'port to listen on; 0 chooses a free one', '26657')
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option(
      '--interval <ms>',
      'time between blocks, up to the last one whose votes were recorded; without it the whole recording is available at once',
    )
    .option('--start <height>', 'height at the start (default: with --interval the first one, otherwise the last)')
    .option('--fork <file>', 'lines of "HEIGHT COMMAND", run when the head gets there')
    .addHelpText('after', `\n${REPLAY_COMMANDS}\n`)
    .action((dir: string, options: ReplayOptions) => runCommand('info', ({ signal }) => replay(dir, options, signal)))
}

async function replay(dir: string, options: ReplayOptions, signal: AbortSignal): Promise<void> {
  const steps = options.fork === undefined ? [] : parseScript(await readScript(options.fork))
  const intervalMs = options.interval === undefined ? undefined : toNumber('--interval', options.interval)
  const start = options.start === undefined ? (intervalMs === undefined ? undefined : 1) : toNumber('--start', options.start)
  const node = await startReplayNode({
    dir,
    host: options.host,
    port: toNumber('--port', options.port),
    ...(intervalMs !== undefined && { intervalMs, keepsLastBlock: true }),
    ...(start !== undefined && { startHeight: start }),
  })
  const say = (text: string) => process.stdout.write(`${text}\n`)
  const carryOut = await openReplayScript(dir, node)
  say(`replaying ${dir} on ${node.url}, height ${node.height}`)

  const input = createInterface({ input: process.stdin })
  input.on('line', (line) => {
    if (line.trim() !== '') carryOut(line).then(say, (error: Error) => say(error.message))
  })
  let isBusy = false
  const script = setInterval(async () => {
    if (isBusy || steps.length === 0 || node.height < steps[0]!.height) return
    isBusy = true
    const { height, command } = steps.shift()!
    const outcome = await carryOut(command).catch((error: Error) => error.message)
    say(`at ${height}: ${command}: ${outcome}`)
    isBusy = false
  }, SCRIPT_MS)

  await untilStopped({ signal })
  clearInterval(script)
  input.close()
  await node.close()
}

function readScript(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new OperatorError('bad_script', `cannot read ${file}: ${error.message}`, {}, error)
  })
}

function toNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new OperatorError('bad_option', `${name} must be a number, not ${text}`)
  return Number(text)
}
