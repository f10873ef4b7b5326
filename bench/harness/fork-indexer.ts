import { fork } from 'node:child_process'
import { answerOf } from './answer-of.ts'

/** Memory settings of ops/astrolabe-index@.service; glibc reads them when a process starts. */
const MEMORY_SETTINGS = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '1048576' }

/** Runs a file, named from the folder of benches, in a process that is started as the service file starts an indexer; gives what it sends. */
export function forkIndexer<T>(file: string, args: string[]): Promise<T> {
  const child = fork(new URL(`../${file}`, import.meta.url), args, {
    execArgv: ['--max-semi-space-size=4'],
    env: { ...process.env, ...MEMORY_SETTINGS },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return answerOf(child)
}

/** For the forked process, before it starts a database: that runs without the settings. */
export function forgetMemorySettings(): void {
  for (const name of Object.keys(MEMORY_SETTINGS)) delete process.env[name]
}
