import type { Logger } from 'pino'

export type ProgressReport = { height: number; target: number }

/**
 * Shows how a long command gets on: one line that is redrawn on a terminal, a log line every few seconds otherwise.
 */
export class ProgressLine {
  readonly #label: string
  readonly #log: Logger
  readonly #startedAt = Date.now()
  readonly #terminal = process.stderr.isTTY === true
  #first: number | undefined
  #shownAt = 0

  constructor(label: string, log: Logger) {
    this.#label = label
    this.#log = log
  }

  show({ height, target }: ProgressReport): void {
    this.#first ??= height
    const now = Date.now()
    if (height < target && now - this.#shownAt < (this.#terminal ? 100 : 5000)) return
    this.#shownAt = now
    const seconds = Math.max(0.001, (now - this.#startedAt) / 1000)
    const speed = (height - this.#first) / seconds
    const left = speed > 0 ? Math.ceil((target - height) / speed) : 0
    if (!this.#terminal) {
      this.#log.info(
        { network: this.#label, height, target, blocks_per_second: Math.round(speed), seconds_left: left },
        'progress',
      )
      return
    }
    const share = target > 0 ? Math.min(1, height / target) : 1
    const bar = '█'.repeat(Math.round(share * 24)).padEnd(24, '░')
    process.stderr.write(
      `\r\u001b[2K${this.#label.padEnd(8)} ${bar} ${height} / ${target}  ${Math.round(speed)} blocks/s  ${left > 0 ? `${left} s left` : ''}`,
    )
  }

  end(): void {
    if (this.#terminal && this.#first !== undefined) process.stderr.write('\n')
  }
}
