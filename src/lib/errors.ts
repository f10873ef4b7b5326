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

/** May succeed when tried again: node timeout, lost connection, serialization failure. */
export class Transient extends AstrolabeError {}

/** A node lied or answered garbage: that node is put aside, the data is never used. */
export class NodeFault extends AstrolabeError {}

/** One of our own rules is broken: the process logs everything and stops. */
export class Invariant extends AstrolabeError {}

/** The operator has to decide or change something; the message is a sentence for a person. */
export class OperatorError extends AstrolabeError {}

/** The block at `height` does not continue the stored chain. */
export class ForkDetected extends AstrolabeError {
  readonly height: number
  constructor(height: number, facts: Record<string, unknown> = {}) {
    super('fork_detected', `block ${height} does not continue the indexed chain`, { height, ...facts })
    this.height = height
  }
}
