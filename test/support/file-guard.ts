/**
 * Loaded before everything else into the process of each test file (test/run.ts). A file that does not end, because a hook waits for
 * ever or a rejection left something open, is ended here and counts as failed; the files after it run.
 */
import { isMainThread, Worker } from 'node:worker_threads'

/** The slowest file takes two minutes on two busy cores. */
const LIMIT_MS = Number(process.env.ASTROLABE_TEST_FILE_MS ?? 600_000)

/** Runs in a thread of its own, so that it also ends a file whose own thread is in an endless loop. */
const WATCH = `
  const { writeSync } = require('node:fs')
  const { workerData: { file, ms } } = require('node:worker_threads')
  setTimeout(() => {
    writeSync(2, \`\${file} did not end within \${ms / 1000} s: process \${process.pid} is ended\\n\`)
    process.kill(process.pid, 'SIGKILL')
  }, ms)`

// The process that starts the others has no limit of its own; threads of a test are inside its one.
if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined)
  new Worker(WATCH, { eval: true, execArgv: [], workerData: { file: process.argv[1], ms: LIMIT_MS } }).unref()
