import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'

const ROUNDS = 5
const REPEATS = 400

/**
 * CPU milliseconds of a fixed piece of work of the kinds that the program does most: JSON, strings, hashes. Two runs of a bench compare when their figures are
 * divided by this one: it grows with whatever slows down the machine.
 */
export function calibrate(): number {
  const text = JSON.stringify(
    Array.from({ length: 300 }, (_, i) => ({ key: `attribute-${i}`, value: String(i * 7919), index: true })),
  )
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    let length = 0
    for (let i = 0; i < REPEATS; i++) {
      const values = (JSON.parse(text) as { key: string; value: string }[]).map(({ key, value }) => `${key}\t${value}`)
      length += createHash('sha256').update(values.join('\n')).digest('hex').length
    }
    if (length !== REPEATS * 64) throw new Error('the calibration loop was not run')
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...rounds)
}

/** Calibration in a new process, so that the memory of this one makes no difference. */
async function calibrateApart(): Promise<number> {
  const program = `import { calibrate } from '${import.meta.url}'; console.log(calibrate())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  return Number(stdout)
}

/** The mean of the loop beside a piece of work, taken again and again: one run of it tells little of the minutes around it. */
export async function calibrateBeside<T>(everyMs: number, work: () => Promise<T>): Promise<{ result: T; unit: number }> {
  const samples: Promise<number>[] = [calibrateApart()]
  const timer = setInterval(() => samples.push(calibrateApart()), everyMs)
  const result = await work().finally(() => clearInterval(timer))
  const units = await Promise.all(samples)
  return { result, unit: units.reduce((sum, unit) => sum + unit, 0) / units.length }
}
