import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Names the folder that has a file for each program a test of this run has running: its process group. */
export const PROGRAMS_VARIABLE = 'ASTROLABE_TEST_PROGRAMS'

const GRACE_MS = 15_000

export function noteStart(group: number | undefined): void {
  const folder = process.env[PROGRAMS_VARIABLE]
  if (folder === undefined || group === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, String(group)), '')
}

export function noteEnd(group: number | undefined): void {
  const folder = process.env[PROGRAMS_VARIABLE]
  if (folder !== undefined && group !== undefined) rmSync(join(folder, String(group)), { force: true })
}

/** Ends the programs that a test process left because it was killed itself, and answers how many those were. */
export async function endLeft(folder: string): Promise<number> {
  const groups = listGroups(folder).filter((group) => signal(group, 'SIGTERM'))
  const giveUpAt = performance.now() + GRACE_MS
  while (groups.some(isRunning) && performance.now() < giveUpAt) await delay(50)
  for (const group of groups) signal(group, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
  return groups.length
}

function listGroups(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number)
  } catch {
    // No test of the run has started a program.
    return []
  }
}

const isRunning = (group: number): boolean => signal(group, 0)

/** Whether there was anything that it could be sent to. */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, name)
  } catch {
    return false
  }
}
