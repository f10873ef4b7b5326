import type { Logger } from 'pino'
import { AstrolabeError, OperatorError } from '../../lib/errors.ts'
import { createLog, createReadableStream } from '../../observability/log.ts'
import { explainFailure } from '../terminal/explain.ts'
import { terminal } from '../terminal/terminal.ts'

/** Runtime of every command: a logger, and a signal that ends it. */
export type Runtime = { log: Logger; signal: AbortSignal }

const FORCED_EXIT_MS = 10_000

/**
 * Runs a command: SIGINT, SIGTERM and SIGHUP abort it once (it has ten seconds), a second signal ends it at once. An error meant for a person
 * is one sentence; anything else is logged whole.
 */
export async function runCommand(level: string, command: (runtime: Runtime) => Promise<void>): Promise<never> {
  const log = terminal
    ? createLog(
        level,
        createReadableStream((text) => terminal?.write(text)),
      )
    : createLog(level)
  const controller = new AbortController()
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort(new OperatorError('stopped', 'stopped by a signal'))
    setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  // The terminal was closed.
  process.on('SIGHUP', onSignal)
  const onFatal = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error: the process ends')
    process.exit(1)
  }
  process.on('uncaughtException', onFatal)
  process.on('unhandledRejection', onFatal)
  try {
    await command({ log, signal: controller.signal })
    process.exit(0)
  } catch (error) {
    if (controller.signal.aborted) process.exit(0)
    const sentence = error instanceof OperatorError ? error.message : explainFailure(error)
    if (sentence !== undefined) process.stderr.write(`astrolabe: ${sentence}\n`)
    else
      log.fatal(
        { err: error, ...(error instanceof AstrolabeError && { code: error.code, facts: error.facts }) },
        'stopped by an error',
      )
    process.exit(exitCodeOf(error))
  }
}

/** Resolves when the command is to end. */
export async function untilStopped({ signal }: Pick<Runtime, 'signal'>): Promise<void> {
  if (!signal.aborted) await new Promise<void>((stop) => signal.addEventListener('abort', () => stop(), { once: true }))
}

/** 75 asks a supervisor to start us again (EX_TEMPFAIL). */
function exitCodeOf(error: unknown): number {
  return error instanceof AstrolabeError && error.code === 'stalled' ? 75 : 1
}
