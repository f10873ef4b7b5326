import type { Logger } from 'pino'
import { type Terminal, terminal } from './terminal.ts'

export type ProgressReport = {
  height: number
  target: number
  /** blocks since the last report */
  blocks?: number
}

const WIDTH = 24

/**
 * Shows how a long command gets on: a line that changes on a terminal, a log line every few seconds otherwise.
 */
export class ProgressLine {
  readonly #label: string
  readonly #log: Logger
  readonly #terminal: Terminal | undefined
  readonly #startedAt = Date.now()
  #first: number | undefined
  #share = 0
  #shownAt = 0

  constructor(label: string, log: Logger, shown = terminal) {
    this.#label = label
    this.#log = log
    this.#terminal = shown
  }

  /** The work is known, and nothing of it is done yet. */
  expect(target: number): void {
    if (this.#first === undefined) this.#terminal?.show(this.#label, `${this.#label.padEnd(8)} ${drawBar(0)} up to ${target}`)
  }

  show({ height, target, blocks = 0 }: ProgressReport): void {
    this.#first ??= height - blocks
    const now = Date.now()
    if (height < target && now - this.#shownAt < (this.#terminal ? 100 : 5000)) return
    this.#shownAt = now
    const seconds = Math.max(0.001, (now - this.#startedAt) / 1000)
    const speed = Math.round((height - this.#first) / seconds)
    const left = speed > 0 ? Math.ceil((target - height) / speed) : 0
    if (!this.#terminal) {
      this.#log.info({ height, target, blocks_per_second: speed, seconds_left: left }, 'progress')
      return
    }
    // The target of a chain that continues moves away; what was done stays done.
    this.#share = Math.max(this.#share, target > 0 ? Math.min(1, height / target) : 1)
    const bar = drawBar(this.#share)
    const rest = left > 0 ? `  ${left} s left` : ''
    this.#terminal.show(this.#label, `${this.#label.padEnd(8)} ${bar} ${height} / ${target}  ${speed} blocks/s${rest}`)
  }

  end(): void {
    if (this.#first === undefined) this.#terminal?.remove(this.#label)
    else this.#terminal?.finish(this.#label)
  }
}

/** Steps of a command, on a terminal only: elsewhere each step has its own line anyway. */
export class StepLine {
  readonly #label: string
  readonly #total: number
  readonly #terminal: Terminal | undefined
  #done = 0

  constructor(label: string, total: number, shown = terminal) {
    this.#label = label
    this.#total = total
    this.#terminal = shown
    this.#show('')
  }

  done(name: string): void {
    this.#done++
    this.#show(`  ${name}`)
  }

  /** How the step gets on that is being done. */
  note(name: string): void {
    this.#show(`  ${name}`)
  }

  /** May be called again. */
  end(): void {
    this.#terminal?.remove(this.#label)
  }

  #show(name: string): void {
    const bar = drawBar(this.#total > 0 ? Math.min(1, this.#done / this.#total) : 1)
    this.#terminal?.show(this.#label, `${this.#label.padEnd(8)} ${bar} ${this.#done} / ${this.#total}${name}`)
  }
}

const drawBar = (share: number) => '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')

/** Tables of a command that goes through all of them. */
export class TableSteps {
  readonly #label: string
  #line: StepLine | undefined

  constructor(label: string) {
    this.#label = label
  }

  done({ name, rows }: { name: string; rows: number }, total: number): void {
    this.#line ??= new StepLine(this.#label, total)
    this.#line.done(`${name}, ${rows} rows`)
  }

  end(): void {
    this.#line?.end()
  }
}
