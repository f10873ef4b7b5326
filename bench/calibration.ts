import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

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

/** The same in a new process, where the memory that this one holds makes no difference. */
export function calibrateApart(): number {
  const program = `import { calibrate } from '${import.meta.url}'; console.log(calibrate())`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
}
