/** An answer whose txs were taken out before it is parsed. */
export type CutAnswer = {
  /** JSON with `TXS_CUT` in place of the txs */
  text: string
  /** base64, as views on the answer */
  txs: Buffer[]
}

export const TXS_CUT = 'cut'

/** Below this the searches cost as much as they save. */
const LEAST_BYTES = 64 * 1024

const OPENING = Buffer.from('"data":{"txs":[')
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const CLOSING = 0x5d

/**
 * The txs are most of a large `block` answer, and base64 needs no JSON parser: it would hold them twice more, as text of the whole and
 * as texts of their own. Undefined where the answer is small or printed in another way. Whoever parses `text` has to find `TXS_CUT` where
 * txs belong, or has to parse the whole answer.
 */
export function cutTxs(answer: Buffer): CutAnswer | undefined {
  if (answer.length < LEAST_BYTES) return undefined
  const opening = answer.indexOf(OPENING)
  if (opening < 0) return undefined
  const from = opening + OPENING.length
  const to = answer.indexOf(CLOSING, from)
  const txs = to < 0 ? undefined : splitTexts(answer.subarray(from, to))
  if (!txs) return undefined
  return { text: `${answer.toString('utf8', 0, from - 1)}"${TXS_CUT}"${answer.toString('utf8', to + 1)}`, txs }
}

/** The texts of a JSON list without escapes and without spaces; undefined when it is none. */
function splitTexts(list: Buffer): Buffer[] | undefined {
  if (list.includes(BACKSLASH)) return undefined
  const texts: Buffer[] = []
  for (let at = 0; at < list.length; ) {
    const end = list[at] === QUOTE ? list.indexOf(QUOTE, at + 1) : -1
    if (end < 0) return undefined
    texts.push(list.subarray(at + 1, end))
    const isLast = end + 1 === list.length
    if (!isLast && (list[end + 1] !== COMMA || end + 2 === list.length)) return undefined
    at = end + 2
  }
  return texts
}
