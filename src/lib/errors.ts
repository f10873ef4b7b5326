/** Base of every error we throw on purpose: `code` is stable and can be counted, facts travel as fields. */
export class AstrolabeError extends Error {
  readonly code: string
  readonly facts: Record<string, unknown>
  constructor(code: string, message: string, facts: Record<string, unknown> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.facts = facts
  }
}

/** An error as it crosses the border of a thread, where a class would lose its prototype. Only one thrown on purpose has a `code`. */
export type PlainError = { name: string; message: string; code?: string; facts: Record<string, unknown> }

export function toPlainError(error: unknown): PlainError {
  if (error instanceof AstrolabeError) return { name: error.name, message: error.message, code: error.code, facts: error.facts }
  return { name: 'Error', message: error instanceof Error ? (error.stack ?? error.message) : String(error), facts: {} }
}

/** May succeed when tried again: node timeout, lost connection, serialization failure. */
export class Transient extends AstrolabeError {}

/** A node lied or answered garbage: that node is put aside, the data is never used. */
export class NodeFault extends AstrolabeError {}

/** One of our own rules is broken: the process logs everything and stops. */
export class Invariant extends AstrolabeError {}

/** The operator has to decide or change something; the message is a sentence for a person. */
export class OperatorError extends AstrolabeError {}

/** A caller asks for rows of a height that the operator detached from the index. */
export class Detached extends AstrolabeError {
  constructor(height: number, keptFrom: number) {
    super('detached', `txs and messages below height ${keptFrom} were detached from this index`, { height, keptFrom })
  }
}

/** The block at `height` does not continue the stored chain. */
export class ForkDetected extends AstrolabeError {
  readonly height: number
  constructor(height: number, facts: Record<string, unknown> = {}) {
    super('fork_detected', `block ${height} does not continue the indexed chain`, { height, ...facts })
    this.height = height
  }
}
