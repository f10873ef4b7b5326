// The frame of a trial with programs of others: a folder and programs that end with it, checks that are counted, and a sentence when
// it is skipped. A trial that does not end by itself is ended.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../../scripts/running-demo.mjs'
import { openPrograms } from './programs.mjs'

class Skipped extends Error {}

/** Ends the trial: what it needs is not on this machine. */
export function skip(reason) {
  throw new Skipped(reason)
}

/** `programs`: what has to be on the PATH. `packages`: where they come from. */
export function need(programs, packages) {
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length > 0) skip(`${missing.join(', ')} not found (${packages})`)
}

/**
 * Runs `story` and prints how many of its checks passed. It is given a folder, programs, `check`, `pause` (which throws when the trial is
 * over), `signal`, and `afterwards` for what has to be stopped at the end.
 */
export async function runTrial(name, story, { minutes = 15, isKept = false } = {}) {
  const folder = makeFolder(name)
  const over = new AbortController()
  const giveUp = (reason) => over.abort(new Error(reason))
  setTimeout(() => giveUp(`not finished within ${minutes} minutes`), minutes * 60_000).unref()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => giveUp(`stopped by ${signal}`))
  const pause = (ms) => sleep(ms, undefined, { signal: over.signal }).catch(() => Promise.reject(over.signal.reason))
  const programs = openPrograms(pause)
  over.signal.addEventListener('abort', programs.kill)
  const cleanings = []
  let [passed, failed] = [0, 0]
  const check = (what, isRight, detail = '') => {
    if (isRight) passed++
    else failed++
    console.log(`${isRight ? 'ok  ' : 'FAIL'} ${what}${detail === '' ? '' : `: ${detail}`}`)
  }
  const startedAt = Date.now()
  try {
    const afterwards = (clean) => cleanings.push(clean)
    await story({ folder, programs, check, pause, afterwards, signal: over.signal })
    console.log(`${passed} passed, ${failed} failed in ${Math.round((Date.now() - startedAt) / 1000)} s`)
  } catch (error) {
    if (error instanceof Skipped) console.log(`skipped: ${error.message}`)
    else {
      failed++
      console.error(error.stderr ?? error.stack)
    }
  } finally {
    programs.kill()
    for (const clean of cleanings.reverse()) await clean()
    if (!isKept || failed === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
    else console.log(`its files are in ${folder}`)
  }
  process.exit(failed === 0 ? 0 : 1)
}
