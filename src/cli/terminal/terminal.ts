/** Where lines go: standard error of a terminal, or a list in a test. */
type Output = { write: (text: string) => unknown; columns?: number }

/**
 * A terminal with lines that stay at the bottom and change (progress), below those that scroll (logs). Whatever writes to the
 * terminal meanwhile must go through here.
 */
export class Terminal {
  readonly #output: Output
  readonly #rows = new Map<string, string>()
  #drawn = 0

  constructor(output: Output) {
    this.#output = output
  }

  /** Shows or changes the line of that name. */
  show(name: string, text: string): void {
    this.#rows.set(name, text)
    this.#draw('')
  }

  /** The line of that name scrolls away like any other. */
  finish(name: string): void {
    const text = this.#rows.get(name)
    if (text === undefined) return
    this.#rows.delete(name)
    this.#draw(`${text}\n`)
  }

  /** The line of that name leaves no trace. */
  remove(name: string): void {
    if (this.#rows.delete(name)) this.#draw('')
  }

  write(text: string): void {
    this.#draw(text)
  }

  #draw(scrolled: string): void {
    const back = this.#drawn > 0 ? `\u001b[${this.#drawn}A\r\u001b[J` : ''
    // A row that wraps would count for two.
    const rows = [...this.#rows.values()].map((row) => `${row.slice(0, (this.#output.columns || 80) - 1)}\n`)
    this.#drawn = rows.length
    this.#output.write(back + scrolled + rows.join(''))
  }
}

/** Lines of the answer itself: they scroll above what stays at the bottom, or go where standard output goes. */
export function print(text: string): void {
  if (terminal && process.stdout.isTTY) terminal.write(text)
  else process.stdout.write(text)
}

/** Undefined where nobody looks: a file, a pipe, a service. */
export const terminal: Terminal | undefined = process.stderr.isTTY ? new Terminal(process.stderr) : undefined
