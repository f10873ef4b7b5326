/**
 * Loaded before everything else into the process of each test file (test/run.ts). A file that does not end, because a hook never
 * settles or a rejection left something open, tells what it has open, is ended and counts as failed; the files after it run.
 */
import '../../src/runtime/name-runtime.ts'
import { writeSync } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'

/** The slowest file takes two minutes on two busy cores. */
const LIMIT_MS = Number(process.env.ASTROLABE_TEST_FILE_MS ?? 600_000)

type LibuvHandle = {
  type: string
  is_active: boolean
  is_referenced: boolean
  pid?: number
  localEndpoint?: { port: number } | null
  remoteEndpoint?: { port: number } | null
}

/** Runs in its own thread, so that it also ends a file whose own thread is in an endless loop. */
const WATCH = `
  const { writeSync } = require('node:fs')
  const { workerData: { file, ms } } = require('node:worker_threads')
  setTimeout(() => {
    writeSync(2, \`\${file} did not end within \${ms / 1000} s: process \${process.pid} is ended\\n\`)
    process.kill(process.pid, 'SIGKILL')
  }, ms)`

/** Handles that keep the process alive: timers, sockets with their two ends, threads, programs. */
function describeOpen(): string {
  const { libuv } = process.report.getReport() as unknown as { libuv: LibuvHandle[] }
  return libuv
    .filter((handle) => handle.is_active && handle.is_referenced)
    .map(({ type, pid, localEndpoint, remoteEndpoint }) =>
      [type, pid, localEndpoint?.port, remoteEndpoint?.port].filter(Boolean).join(' '),
    )
    .concat(process.getActiveResourcesInfo().join(' '))
    .join(', ')
}

// The process that starts the others has no limit of its own; threads of a test are inside its one.
if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined) {
  setTimeout(() => writeSync(2, `still open: ${describeOpen()}\n`), LIMIT_MS * 0.9).unref()
  new Worker(WATCH, { eval: true, execArgv: [], workerData: { file: process.argv[1], ms: LIMIT_MS } }).unref()
}
